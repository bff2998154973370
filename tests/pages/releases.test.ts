import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { logIn } from '#contract/accounts/accounts.ts';
import { listPending } from '#server/platform/database/open.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import { makeFolder } from '#support/files/folders.ts';
import { PASSWORD, readSites, unpackSite } from '#support/databases/recorded-sites.ts';
import { startHostProcess } from '#support/processes/host-process.ts';
import { runCommand } from '#support/processes/operator.ts';

const ROOT = join(import.meta.dirname, '../..');

describe.each(readSites())('the recorded site $name', (recorded) => {
  test('is upgraded, serves its pages and log-ins, and has nothing wrong', async () => {
    const folder = await makeFolder();
    const dataDir = unpackSite(recorded, folder);
    const env = { DATA_DIR: dataDir };
    const before = await listPending({ kind: 'sqlite', file: join(dataDir, 'site.sqlite') }, MIGRATIONS);
    const upgraded = await runCommand(env, 'upgrade', '--to', join(folder, 'before.tar'));
    expect(upgraded).toMatchObject({ code: 0, err: '' });
    expect(upgraded.out.includes('Making a backup')).toBe(before.names.length > 0);

    const { url } = await startHostProcess(env, join(ROOT, 'dist'));
    const read = async (path: string) => {
      const response = await fetch(url + path);
      return { status: response.status, html: await response.text() };
    };
    expect(await read('/')).toMatchObject({ status: 200 });
    const listing = await read('/sounds');
    expect(listing.html).toContain('朝の森');
    expect(listing.html).not.toContain('下書き');
    const [path = ''] = /\/sounds\/[\w-]{16}/.exec(listing.html) ?? [];
    expect(await read(path)).toMatchObject({ status: 200, html: expect.stringContaining('朝の森') });
    expect(await read('/artist/artist')).toMatchObject({
      status: 200,
      html: expect.stringContaining('朝の森'),
    });
    const session = await fetch(url + logIn.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email: 'artist@example.test', password: PASSWORD }),
    });
    expect([session.status, await session.json()]).toMatchObject([200, { access: expect.any(String) }]);

    // The server decodes and indexes the sounds again.
    await vi.waitFor(async () => expect(await findWrong(dataDir)).toEqual([]), {
      timeout: 60_000,
      interval: 2_000,
    });
  });
});

/** The checks that fail, except for the backups, of which there are none. */
async function findWrong(dataDir: string): Promise<readonly unknown[]> {
  const { out } = await runCommand({ DATA_DIR: dataDir }, 'doctor', '--json');
  const { checks } = JSON.parse(out) as {
    readonly checks: readonly { readonly name: string; readonly state: string; readonly priority: string }[];
  };
  return checks.filter(
    ({ name, state, priority }) => state === 'failed' && priority !== 'info' && name !== 'backups',
  );
}
