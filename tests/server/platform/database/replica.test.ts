import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sql } from 'kysely';
import { cached } from '#server/platform/database/statements/cached.ts';
import { asCaller } from '#server/platform/database/drivers/connection-share.ts';
import { openDatabase } from '#server/schema/open.ts';
import { type Database, openReplica } from '#server/platform/database/open.ts';
import { createReplica, measureReplica, readPublic } from '#server/platform/database/replica.ts';
import { createTestApi } from '#support/http/api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { startHost } from '#support/http/host.ts';
import { runStatement, startReplicatedPostgres } from '#support/databases/postgres-server.ts';
import { getRow, updateRows } from '#support/databases/databases.ts';

const CATALOGUE = [{ key: 'a', title: '朝' }];

describe('a streaming replica', () => {
  let servers: Awaited<ReturnType<typeof startReplicatedPostgres>>;
  let standby: Awaited<ReturnType<typeof servers.startReplica>>;
  let databases = 0;
  let urls: { readonly primary: string; readonly replica: string };

  beforeAll(async () => {
    servers = await startReplicatedPostgres();
    standby = await servers.startReplica();
  });
  afterAll(async () => {
    await standby.stop();
    await servers.stop();
  });
  beforeEach(async () => {
    const name = `site_${(databases += 1)}`;
    await runStatement(servers.primary.adminUrl, `create database ${name}`);
    const [primary = '', replica = ''] = [servers.primary.adminUrl, standby.adminUrl].map((url) =>
      Object.assign(new URL(url), { pathname: name }).toString(),
    );
    urls = { primary, replica };
  });

  const pause = () => runStatement(standby.adminUrl, 'select pg_wal_replay_pause()');
  const resume = () => runStatement(standby.adminUrl, 'select pg_wal_replay_resume()');

  /** A site whose replica is in use; `pass` advances the clock of the replica. */
  async function openSite(replicaUrl = urls.replica) {
    let passedMs = 0;
    const reports: string[] = [];
    const primary = await openDatabase({ kind: 'postgres', url: urls.primary });
    const replica = createReplica(primary.db, {
      open: () => openReplica(replicaUrl),
      report: (message) => void reports.push(message),
      now: () => performance.now() + passedMs,
    });
    const database: Database = { ...primary, replica };
    onTestFinished(async () => {
      await replica.close();
      await primary.close();
    });
    const api = createTestApi(database, { onChange: () => replica.noteChange() });
    const catalogue = await fillCatalogue(database, CATALOGUE);
    const title = async (memberId?: string) =>
      (await api.json('/api/sounds/', memberId)).results[0].title as string;
    const poll = (condition: () => void) =>
      expect.poll(async () => {
        passedMs += 1_000;
        await title();
        condition();
        return true;
      });
    return {
      api,
      database,
      reports,
      artistId: [...catalogue.artistIds.values()][0] ?? '',
      soundId: catalogue.idOf('a'),
      title,
      pass: (ms: number) => void (passedMs += ms),
      isReported: (message: RegExp) => poll(() => expect(reports.at(-1)).toMatch(message)).toBe(true),
      /** Changes a title without an announcement, as another process does. */
      rename: (to: string) => updateRows(database, 'sounds', { title: to }, { id: catalogue.idOf('a') }),
    };
  }

  async function openUsedSite() {
    const site = await openSite();
    await site.isReported(/^the replica is used$/);
    return site;
  }

  test('answers visitors, while members read what was written last', async () => {
    const site = await openUsedSite();
    await pause();
    onTestFinished(resume);
    await site.rename('夜');
    expect(await site.title()).toBe('朝');
    expect(await site.title(site.artistId)).toBe('夜');
    expect((await site.api.json(`/api/sounds/${site.soundId}/`)).title).toBe('朝');
    const { results } = await site.api.json(`/api/sounds/?search=${encodeURIComponent('朝')}`);
    expect(results).toHaveLength(1);
  });

  test('answers nobody from before a change that this process knows of', async () => {
    const site = await openUsedSite();
    await pause();
    await site.rename('夜');
    expect(await site.title()).toBe('朝');
    site.database.replica?.noteChange();
    expect(await site.title()).toBe('夜');
    site.pass(1_000);
    expect([await site.title(), await site.title()]).toEqual(['夜', '夜']);
    await resume();
    await expect
      .poll(async () => {
        site.pass(1_000);
        await site.title();
        await pause();
        await site.rename(randomUUID());
        const isUsed = (await site.title()) !== (await site.title(site.artistId));
        await resume();
        return isUsed;
      })
      .toBe(true);
  });

  test('keeps nothing cached from before a change that this process knows of', async () => {
    const site = await openUsedSite();
    const read = (value: string) =>
      readPublic(site.database, async (source) => ({
        isReplica: source !== site.database,
        value: await cached(source, 'words', async () => value, 60_000),
      }));
    expect(await read('old')).toEqual({ isReplica: true, value: 'old' });
    site.database.replica?.noteChange();
    await expect
      .poll(() => {
        site.pass(1_000);
        return read('new');
      })
      .toEqual({ isReplica: true, value: 'new' });
  });

  test('is not used when it is more than five seconds behind', async () => {
    const site = await openUsedSite();
    await pause();
    onTestFinished(resume);
    await site.rename('夜');
    await site.isReported(/too far behind/);
    expect(await site.title()).toBe('夜');
    await resume();
    await site.isReported(/^the replica is used$/);
  });

  test('is replaced by the primary within the same request when it fails, and used again later', async () => {
    const site = await openUsedSite();
    await standby.stop();
    await site.rename('夜');
    expect(await site.title()).toBe('夜');
    await site.isReported(/^the replica is not used: /);
    standby = await servers.startReplica(Number(new URL(standby.adminUrl).port));
    await expect
      .poll(async () => {
        site.pass(1_000);
        await site.title();
        return site.reports.at(-1);
      })
      .toBe('the replica is used');
  });

  test('is used by all others while it is busy for one caller', async () => {
    const { database, reports, pass } = await openUsedSite();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    onTestFinished(() => open());
    const isReplica = async ({ db }: Database) => {
      const { rows } = await sql<{ found: boolean }>`select pg_is_in_recovery() as found`.execute(db);
      return rows[0]?.found;
    };
    const readAs = <Result>(caller: string, read: (source: Database) => Promise<Result>) =>
      asCaller(caller, () => readPublic(database, read));
    // Three connections are the share of a caller, and 500 uses of it may wait.
    const held = Array.from({ length: 3 }, () =>
      readAs('busy', ({ db }) => db.connection().execute(() => gate)),
    );
    const waiting = Array.from({ length: 500 }, () => readAs('busy', isReplica));
    expect(await readAs('busy', isReplica)).toBe(false);
    expect(await readAs('other', isReplica)).toBe(true);
    // Its reads start the checks, which have connections all the same.
    const readAfterCheck = async () => {
      pass(1_000);
      await readAs('busy', isReplica);
      return readAs('other', isReplica);
    };
    for (let second = 0; second < 6; second += 1) await readAfterCheck();
    await expect.poll(readAfterCheck).toBe(true);
    open();
    await Promise.all(held);
    expect(await Promise.all(waiting)).not.toContain(false);
    expect(reports.join()).not.toMatch(/too many uses|waited too long/);
  });

  test('a sound that is missing there is looked up on the primary', async () => {
    const site = await openUsedSite();
    await pause();
    onTestFinished(resume);
    const { id } = await getRow(site.database, 'sounds');
    await updateRows(site.database, 'sounds', { id: 'moved' }, { id });
    expect((await site.api.get('/api/sounds/moved/')).status).toBe(200);
  });

  test('is not used when the address leads to a server that is not a replica', async () => {
    const site = await openSite(urls.primary);
    await site.isReported(/^the replica is not used: .* not a replica$/);
    expect(await site.title()).toBe('朝');
  });

  test('is not used when the address leads nowhere', async () => {
    const site = await openSite('postgres://otoichi@127.0.0.1:1/nothing');
    await site.isReported(/^the replica is not used: .*ECONNREFUSED/);
    expect(await site.title()).toBe('朝');
  });

  test('shows a change of a member to visitors at once, though it is behind', async () => {
    const database = await openDatabase({ kind: 'postgres', url: urls.primary });
    const catalogue = await fillCatalogue(database, CATALOGUE);
    await database.close();
    const env = { DATABASE_URL: urls.primary, DATABASE_REPLICA_URL: urls.replica };
    const host = await startHost({ env });
    const path = `${host.url}/api/sounds/${catalogue.idOf('a')}/`;
    const read = async () => ((await (await fetch(path)).json()) as { title: string }).title;
    await expect.poll(async () => (await read(), host.lines.join(''))).toContain('the replica is used');
    await pause();
    onTestFinished(resume);
    const token = await host.logIn([...catalogue.artistIds.values()][0] ?? '');
    const form = new FormData();
    form.set('title', '夜');
    const headers = { authorization: `Bearer ${token}` };
    const changed = await fetch(path, { method: 'PATCH', headers, body: form });
    expect(changed.status).toBe(200);
    expect(await read()).toBe('夜');
  });

  test('is measured for the doctor', async () => {
    const site = await openSite();
    const measure = (url: string, wait = () => Promise.resolve()) =>
      measureReplica(site.database.db, () => openReplica(url), wait);
    expect(await measure(urls.replica)).toMatchObject({ state: 'usable' });
    expect(await measure(urls.primary)).toMatchObject({ state: 'unusable' });
    await pause();
    onTestFinished(resume);
    await site.rename('夜');
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let passedMs = 0;
    const pass = async () => {
      passedMs += 500;
      vi.advanceTimersByTime(500);
    };
    expect(await measure(urls.replica, pass)).toEqual({ state: 'behind' });
    expect(passedMs).toBeGreaterThan(5_000);
  });
});
