import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { type Host, openHost } from '#server/host.ts';
import { parseSettings } from '#server/settings.ts';
import { createPageCache } from '#server/web/page-cache.ts';
import { bothDatabases, insertRow } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { logIn, toOutput } from '#support/http/host.ts';
import { runCommand } from '#support/processes/operator.ts';

const STAFF = 'staff@example.test';

describe.each(bothDatabases)('two processes on one database on $name', ({ locate, rule }) => {
  async function startBoth() {
    const place = await locate();
    onTestFinished(() => place.remove());
    const dataDir = 'DATA_DIR' in place.env ? place.env.DATA_DIR : join(await makeFolder(), 'data');
    await mkdir(dataDir, { recursive: true });
    const env = { PORT: '0', DATA_DIR: dataDir, ...place.env };
    const logged: string[] = [];
    const output = toOutput((line) => void logged.push(line));
    const hosts: Host[] = [];
    for (let count = 0; count < 2; count += 1) {
      const host = await openHost(parseSettings(env), output);
      onTestFinished(() => host.close());
      hosts.push(host);
    }
    const [one, two] = hosts as [Host, Host];
    const database = one.data?.database;
    if (database === undefined) throw new Error('there is no database');
    const staff = await createUser(database, { username: 'staff', email: STAFF, is_staff: true });
    const authorization = `Bearer ${await logIn(database, dataDir, staff)}`;
    const call = async (host: Host, path: string, body?: object) => {
      const answer = await host.locals.fetchApi?.(`http://api.internal${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', authorization },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect(answer?.status).toBe(200);
      return answer?._data;
    };
    for (const host of hosts) host.startScheduledJobs();
    return { env, database, one, two, call, logged };
  }

  /** A page cache of a host. Waits until a page is rendered again after `change`; a process asks once a second. */
  async function watchPage(host: Host) {
    let rendered = 0;
    const pages = createPageCache({
      render: async (_key, _id, note) => {
        rendered += 1;
        note('listings');
        return {
          status: 200,
          isCacheable: true,
          etag: String(rendered),
          byteSize: 100,
          variants: {},
        } as never;
      },
      toKey: ({ path }) => path,
      admission: { run: async (_visitor: string, work: () => Promise<unknown>) => work() } as never,
      maxBytes: 1_000_000,
      // The pages of this test do not expire.
      now: () => 0,
    });
    host.invalidatePagesOnChange(pages);
    const get = () => pages.get({ path: '/sounds', query: '' } as never, '/sounds', '', 'visitor');
    await get();
    return async (change: () => Promise<unknown>): Promise<void> => {
      const before = rendered;
      await change();
      await expect.poll(() => get().then(() => rendered), { timeout: 10_000 }).toBe(before + 1);
    };
  }

  test('show the other one a change of the console', async () => {
    const { one, two, call } = await startBoth();
    const afterChange = await watchPage(two);
    // Both remember the genres.
    for (const host of [one, two]) expect(await call(host, '/api/genres/')).toEqual([]);
    await afterChange(() => call(one, '/api/operator/labels/', { kind: 'genre', name: '夜' }));
    expect(await call(two, '/api/genres/')).toMatchObject([{ name: '夜' }]);
  });

  test('show a change by a command', async () => {
    const { env, one, two } = await startBoth();
    const [ofOne, ofTwo] = [await watchPage(one), await watchPage(two)];
    const file = join(await makeFolder(), 'about.md');
    await writeFile(file, '本文');
    const args = ['pages', 'create', 'about', '--body', file, '--title', '私たち'];
    const saved = runCommand({ ...env, OPERATOR_AS: STAFF }, ...args);
    await Promise.all([ofOne(() => saved), ofTwo(() => saved)]);
    expect((await saved).err).toBe('');
  });

  rule('both drop their pages within seconds after an announcement has begun', async () => {
    const { database, one, two, call } = await startBoth();
    const begins_at = Date.now() + 4_000;
    const row = { id: 'a', text: '告知', audience: 'everyone' as const, updated_at: 0, link: null };
    await insertRow(database, 'announcements', { ...row, begins_at, ends_at: begins_at + 600_000 });
    // Both read the table again.
    await call(one, '/api/operator/site/flag/', { flag: 'allow_register', is_on: false });
    const droppedAt = [0, 0];
    for (const [index, host] of [one, two].entries()) {
      const changed = () => void (droppedAt[index] = Date.now());
      host.invalidatePagesOnChange({ changed } as never);
    }
    await expect.poll(() => Math.min(...droppedAt), { timeout: 20_000 }).toBeGreaterThanOrEqual(begins_at);
  });

  test('run the jobs of the site in one of them', async () => {
    const { logged } = await startBoth();
    const leaders = () => logged.filter((line) => line.includes('runs the scheduled jobs')).length;
    await expect.poll(leaders).toBe(1);
    await wait(500);
    expect(leaders()).toBe(1);
  });
});
