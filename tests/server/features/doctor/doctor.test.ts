import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '#server/features.ts';
import { NODE_MAJOR_MIN } from '#server/features/doctor/checks/node.ts';
import { type Check, Tally } from '#server/features/doctor/check.ts';
import { listChecks } from '#server/features/doctor/checks.ts';
import { runChecks } from '#server/features/doctor/run.ts';
import { parseSettings } from '#server/settings.ts';
import { findFreePort } from '#server/web/free-port.ts';
import {
  bothDatabases,
  locateEmptyDatabase,
  locateTestDatabase,
  ruleDatabases,
} from '#support/databases/databases.ts';
import { STAFF, makeHealthySite, toCheckedSite } from './doctor.ts';
import { makeFolder } from '#support/files/folders.ts';
import { runCommand } from '#support/processes/operator.ts';

const CHECKS = listChecks(FEATURES);

describe.each(ruleDatabases)('the doctor on $name', ({ locate }) => {
  test('finds nothing on a healthy site, and reports each check', async () => {
    const site = await makeHealthySite(locate);
    const { code, failed, states } = await site.diagnose();
    expect({ code, failed }).toEqual({ code: 0, failed: {} });
    expect(Object.keys(states)).toEqual(CHECKS.map(({ name }) => name));
    const { out } = await site.run();
    expect(out).toContain(`Nothing to repair: ${CHECKS.length - 1} passed, 0 failed, 1 skipped.`);
  });

  test('explains what it found, what it means and what to do', async () => {
    const site = await makeHealthySite(locate);
    await rm(site.toPath(`sounds/${site.sounds[0].audio_key}`));
    const { code, out } = await site.run();
    expect(code).toBe(1);
    expect(out).toMatch(
      /FAIL +missing files \(critical\)\n +1 file .*\n +- sound .*\n +Meaning: .*\n +What to do: /,
    );
    expect(out).toMatch(/Problems: \d+ passed, 1 failed, 1 skipped\.$/);
  });

  test('ends where later checks make no sense', async () => {
    const site = await makeHealthySite(locate);
    await sql`insert into migrations (name, applied_at) values ('9999-future@99.0.0', 0)`.execute(
      site.database.db,
    );
    const { code, failed, states } = await site.diagnose();
    expect({ code, failed }).toEqual({ code: 1, failed: { database: ['other-version'] } });
    expect(states['missing files']).toBe('skipped');
  });

  test('finds a storage folder that is not mounted, without creating it', async () => {
    const site = await makeHealthySite(locate);
    const files = join(site.env.DATA_DIR, 'files');
    await rename(files, `${files}-unmounted`);
    expect(await site.diagnose()).toMatchObject({ code: 1, failed: { folders: ['no-folder'] } });
    await expect(stat(files)).rejects.toThrow('ENOENT');
  });

  test('writes the marker of a folder again only if the folder has files of the site', async () => {
    const site = await makeHealthySite(locate);
    const marker = join(site.env.DATA_DIR, 'files', '.site-marker');
    const content = await readFile(marker, 'utf8');
    await rm(marker);
    const sounds = join(site.env.DATA_DIR, 'files', 'sounds');
    await rename(sounds, `${sounds}-elsewhere`);
    const unchanged = { code: 1, failed: { folders: ['no-marker'] }, repaired: [] };
    expect(await site.diagnose('--fix', '--as', STAFF)).toMatchObject(unchanged);
    await rename(`${sounds}-elsewhere`, sounds);
    const { repaired } = await site.diagnose('--fix', '--as', STAFF);
    expect(repaired).toEqual([`folders: wrote ${marker}`]);
    expect(await readFile(marker, 'utf8')).toBe(content);
  });

  test('--fix needs a staff account, and changes nothing for another', async () => {
    const site = await makeHealthySite(locate);
    const secret = join(site.env.DATA_DIR, 'secrets', 'sessions');
    await chmod(secret, 0o644);
    expect(await site.run('--fix')).toMatchObject({ code: 2, err: expect.stringContaining('--as EMAIL') });
    const { code, err } = await site.run('--fix', '--as', 'artist@example.test');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('not a staff account') });
    expect((await stat(secret)).mode & 0o777).toBe(0o644);
    await site.diagnose('--fix', '--as', STAFF);
    expect((await stat(secret)).mode & 0o777).toBe(0o600);
  });

  test('the cheap checks run on an open database', async () => {
    const site = await makeHealthySite(locate);
    const checked = toCheckedSite(site.settings, site);
    const { results, problems } = await runChecks(CHECKS, checked, { forConsole: true });
    expect(problems).toBe(0);
    expect(results.map(({ name }) => name)).toEqual(
      CHECKS.filter(({ consoleText }) => consoleText !== null).map(({ name }) => name),
    );
  });
});

describe('the doctor', () => {
  const findBy = async (env: Readonly<Record<string, string>>, name: string, more: object = {}) => {
    const check = CHECKS.find((each) => each.name === name);
    if (check === undefined) throw new Error(`no check ${name}`);
    const settings = parseSettings({ DATA_DIR: await makeFolder(), ...env });
    return check.run({ ...toCheckedSite(settings), ...more });
  };
  const examine = async (...examined: Parameters<typeof findBy>) =>
    (await findBy(...examined)).map(({ kind }) => kind);
  const PUBLIC = { SITE_URL: 'https://sounds.test', TRUSTED_PROXY_HOPS: '1' };
  const MAIL = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'post@sounds.jp' };

  test.each([
    [{}, []],
    [PUBLIC, []],
    [{ HOST: '0.0.0.0' }, ['no-site-url']],
    [{ HOST: '0.0.0.0', SITE_URL: 'http://sounds.test' }, ['no-https']],
    [{ TRUSTED_PROXY_HOPS: '1' }, ['no-site-url']],
    [{ SITE_URL: 'https://sounds.test' }, ['no-proxy-hops']],
  ])('judges the public address of %o', async (env, kinds) => {
    expect(await examine(env, 'public address')).toEqual(kinds);
  });

  test.each([
    [{ RATE_LIMITS: 'off' }, []],
    [{ ...PUBLIC, ...MAIL }, []],
    [PUBLIC, ['no-smtp', 'no-sender']],
    [{ ...PUBLIC, ...MAIL, RATE_LIMITS: 'off' }, ['no-rate-limits']],
  ])('judges %o for production', async (env, kinds) => {
    expect(await examine(env, 'settings for production')).toEqual(kinds);
  });

  const KEY = { SECRET_KEY: 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=' };
  test.each([
    [{}, ''],
    [{ DATABASE_URL: 'postgres://db/oto', ...MAIL }, ''],
    [
      { DATABASE_URL: 'postgres://db/oto', STORAGE_URL: 's3://key:secret@storage.example/bucket' },
      'SECRET_KEY, PERSONAL_INFO_PUBLIC_KEY, SMTP_URL.',
    ],
    [{ ...KEY, ...MAIL }, 'DATABASE_URL, STORAGE_URL, PERSONAL_INFO_PUBLIC_KEY.'],
  ])('names what %o lacks for several machines', async (env, missing) => {
    const [finding, ...others] = await findBy(env, 'several machines');
    expect(others).toEqual([]);
    expect(finding?.found ?? '').toBe(
      missing && `For several machines these settings are missing: ${missing}`,
    );
    expect(CHECKS.find(({ name }) => name === 'several machines')?.priority).toBe('info');
  });

  test('joins the parts of a check, and adds up what they find of one kind', async () => {
    const toPart = (...names: readonly string[]): Check => ({
      name: 'parts',
      priority: 'info',
      stage: 'longest',
      consoleText: null,
      run: () => {
        const tally = new Tally();
        for (const name of names) tally.add(name);
        const texts = { kind: 'wrong', meaning: '', remedy: '' };
        return Promise.resolve(tally.diagnose({ ...texts, found: (count) => `${count} are wrong.` }));
      },
    });
    const features = [['a', 'b'], [], ['c']].map((names) => ({ checks: [toPart(...names)] }));
    const parts = listChecks(features).filter(({ name }) => name === 'parts');
    const settings = parseSettings({ DATA_DIR: await makeFolder() });
    const { results } = await runChecks(parts, toCheckedSite(settings));
    const finding = { kind: 'wrong', count: 3, found: '3 are wrong.', examples: ['a', 'b', 'c'] };
    expect(results).toMatchObject([{ name: 'parts', state: 'failed', findings: [finding] }]);
    expect(results[0]?.findings).toHaveLength(1);
  });

  test('finds a disk without room', async () => {
    const measureFree = (bytes: number) => ({ measureFree: () => Promise.resolve(bytes) });
    expect(await examine({}, 'free space', measureFree(200 * 1024 ** 2))).toEqual(['little-space']);
    expect(await examine({}, 'free space', measureFree(1024 ** 3))).toEqual([]);
  });

  test('finds a Node that is too old, by the same limit as the start', async () => {
    expect(await examine({}, 'Node', { nodeVersion: '22.20.0' })).toEqual(['too-old']);
    const start = await readFile(new URL('../../../../server/check-node.mjs', import.meta.url), 'utf8');
    expect(start).toContain(`const wanted = ${NODE_MAJOR_MIN};`);
  });

  test('reports invalid settings as its first check', async () => {
    const { code, out } = await runCommand({ PORT: 'many' }, 'doctor');
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/FAIL +settings[^]*PORT/) });
  });

  test('finds a database file that is missing or is none, and creates nothing', async () => {
    const place = await locateTestDatabase('sqlite');
    const run = async () => {
      const { code, out } = await runCommand(place.env as Record<string, string>, 'doctor', '--json');
      const { checks } = JSON.parse(out) as {
        checks: { name: string; findings: { kind: string }[] }[];
      };
      return {
        code,
        failed: checks.flatMap(({ name, findings }) => findings.map(({ kind }) => [name, kind])),
      };
    };
    const { file } = place.location as { file: string };
    await writeFile(file, 'this is no database '.repeat(1_000));
    expect(await run()).toEqual({ code: 1, failed: [['database', 'damaged']] });
    await rm(file);
    expect(await run()).toEqual({ code: 1, failed: [['database', 'unusable']] });
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await place.remove();
  });

  test.each(bothDatabases)('says that no server has started with an empty $name', async ({ name }) => {
    const { location, env, remove } = await locateEmptyDatabase(name);
    if (location.kind === 'sqlite') await writeFile(location.file, '');
    const { code, out } = await runCommand({ DATA_DIR: '/nowhere', ...env }, 'doctor');
    expect(code).toBe(1);
    expect(out).toContain('The database has no tables: no server has started with this database yet');
    await remove();
  });

  test('does not call PostgreSQL damaged that it cannot reach, or that refuses it', async () => {
    const { location, remove } = await locateTestDatabase('postgres');
    if (location.kind !== 'postgres') throw new Error('not PostgreSQL');
    const examine = async (url: URL) => {
      const { out } = await runCommand({ DATA_DIR: '/nowhere', DATABASE_URL: url.href }, 'doctor', '--json');
      const { checks } = JSON.parse(out) as { checks: { findings: { kind: string; meaning: string }[] }[] };
      return checks.flatMap(({ findings }) => findings);
    };
    const meaning = expect.stringContaining('The data was not looked at.');
    const url = new URL(location.url);
    url.pathname = '/no-such-database';
    expect(await examine(url)).toEqual([expect.objectContaining({ kind: 'refused', meaning })]);
    url.port = String(await findFreePort('127.0.0.1'));
    expect(await examine(url)).toEqual([expect.objectContaining({ kind: 'unavailable', meaning })]);
    await remove();
  });
});
