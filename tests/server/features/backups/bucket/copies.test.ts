import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import type { CopyTarget } from '#server/features/backups/bucket/copies.ts';
import { fetchBackup, listCopies } from '#server/features/backups/bucket/fetch.ts';
import { readCopyState, sendLatest } from '#server/features/backups/bucket/schedule.ts';
import { sendBackup } from '#server/features/backups/bucket/send.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { toBackupName } from '#server/features/backups/pool.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { makeSealingKey, readOpeningKeys, toPublicKeyLine } from '#server/platform/crypto/sealed-keys.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { readMails } from '#support/members/accounts.ts';
import { makeEmptyPlace, makeSite, readRows } from '#support/processes/backups.ts';
import { runCommand } from '#support/processes/operator.ts';
import { type S3Proxy, startS3 } from '#support/processes/s3.ts';

const DAY_MS = 86_400_000;
const DENIED = { kind: 'answer', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' } as const;

/** A key that may only write, as docs/backups.md says. */
function allowWritesOnly(s3: S3Proxy) {
  s3.onRequest = ({ method, query }) => {
    const isWrite =
      method === 'PUT' || (method === 'POST' && (query.has('uploads') || query.has('uploadId')));
    return isWrite ? undefined : DENIED;
  };
}

const countWrites = (s3: S3Proxy) => s3.seen.filter(({ method }) => method === 'PUT').length;

describe.each(ruleDatabases)('copies of backups of a site on $name', { timeout: 120_000 }, (kind) => {
  async function open() {
    const made = await makeSite(kind);
    const { folder, site, members } = made;
    const s3 = await startS3();
    const keyFile = join(folder, 'copies.pem');
    const target: CopyTarget = {
      bucket: s3.location,
      publicKey: toPublicKeyLine(makeSealingKey(keyFile).publicKey),
    };
    await members.act();
    const backups = join(folder, 'backups');
    const create = () => createBackup(site, `${backups}/`, { withKeys: false });
    const source = { bucket: s3.location, keys: readOpeningKeys(keyFile) };
    return { ...made, s3, target, backups, keyFile, source, create };
  }

  test('are written with a key that can do nothing else, and restore every row and file', async () => {
    const { s3, target, create, site, folder, keyFile, backups } = await open();
    // Larger than a part of an upload.
    await (await openStorage(site.storage)).put('notices/1/film', Buffer.alloc(9_000_000, 'film'));
    const { path } = await create();
    await writeFile(join(backups, 'erasures.json'), '{"accounts":{},"sounds":{"gone":1}}');
    allowWritesOnly(s3);
    await sendBackup(target, path, Date.now());
    expect(s3.seen.filter(({ method }) => method !== 'PUT' && method !== 'POST')).toEqual([]);
    // A locked bucket requires it.
    expect(s3.seen.every(({ method, headers }) => method !== 'PUT' || headers['content-md5'])).toBe(true);
    const names = s3.seen.map(({ path: seen }) => seen).join('\n');
    const sums = await readFile(join(path, 'SHA256SUMS'), 'utf8');
    for (const [hash] of sums.matchAll(/^[0-9a-f]{64}/gm)) expect(names).not.toContain(hash);

    s3.onRequest = () => undefined;
    const fetched = await makeFolder();
    const { place, env } = await makeEmptyPlace(kind);
    const fetching = ['backup', 'fetch', fetched, '--from', s3.url, '--key', keyFile];
    expect(await runCommand(env, ...fetching)).toMatchObject({ code: 0 });
    expect(await readFile(join(fetched, 'erasures.json'), 'utf8')).toContain('gone');
    expect(await verifyBackup(fetched, FILE_OWNERS)).toMatchObject({ faults: [] });
    await restoreBackup(place, fetched);
    expect(await readRows(place.database, folder)).toEqual(await readRows(site.database, folder));
    expect(await (await openStorage(place.storage)).find('notices/1/film')).toMatchObject({
      size: 9_000_000,
    });
  });

  test('send only what is new, and after 30 days all that is still used', async () => {
    const { s3, target, create, members, site } = await open();
    const first = await create();
    const nowMs = Date.now();
    const sent = await sendBackup(target, first.path, nowMs);
    const film = Buffer.alloc(20_000, 'film');
    await (await openStorage(site.storage)).put('notices/1/film', film);
    await members.act();
    const second = await create();
    // A film, a sound, the database, its manifest, the summary, the list.
    expect(await sendBackup(target, second.path, nowMs + 14 * DAY_MS)).toBeLessThanOrEqual(
      kind.name === 'sqlite' ? 6 : Infinity,
    );
    const before = countWrites(s3);
    const again = await sendBackup(target, second.path, nowMs + 45 * DAY_MS);
    expect(again).toBeGreaterThan(sent);
    expect(countWrites(s3) - before).toBe(again);
  });

  test('continue after an interruption, and are not there before they are whole', async () => {
    const { s3, target, create, source, members } = await open();
    for (let count = 0; count < 4; count += 1) await members.act();
    const { path } = await create();
    let writes = 0;
    s3.onRequest = () => ((writes += 1) > 5 ? DENIED : undefined);
    await expect(sendBackup(target, path, Date.now())).rejects.toThrow(/403/);
    s3.onRequest = () => undefined;
    expect(await listCopies(source)).toEqual([]);
    await expect(fetchBackup(source, await makeFolder())).rejects.toThrow(/no copy/);
    const all = (await readFile(join(path, 'SHA256SUMS'), 'utf8')).trim().split('\n').length + 1;
    expect(await sendBackup(target, path, Date.now())).toBe(all - 5);
    const fetched = await makeFolder();
    expect(await verifyBackup(await fetchBackup(source, fetched), FILE_OWNERS)).toMatchObject({ faults: [] });
  });

  test('are fetched again from where an interruption left it', async () => {
    const { s3, target, create, source } = await open();
    await sendBackup(target, (await create()).path, Date.now());
    const fetched = await makeFolder();
    const countReads = () =>
      s3.seen.filter(({ method, path }) => method === 'GET' && path.includes('objects/'));
    s3.onRequest = ({ path }) => (path.includes('objects/') && countReads().length > 2 ? DENIED : undefined);
    await expect(fetchBackup(source, fetched)).rejects.toThrow(/403/);
    s3.onRequest = () => undefined;
    const path = await fetchBackup(source, fetched);
    expect(await verifyBackup(path, FILE_OWNERS)).toMatchObject({ faults: [] });
    expect(await fetchBackup(source, fetched)).toBe(path);
  });

  test('do not open with another key, or after anything was changed, exchanged or deleted', async () => {
    const { s3, target, create, source, folder } = await open();
    await sendBackup(target, (await create()).path, Date.now());
    const other = join(folder, 'other.pem');
    makeSealingKey(other);
    await expect(
      fetchBackup({ ...source, keys: readOpeningKeys(other) }, await makeFolder()),
    ).rejects.toThrow(/sealed to another key/);
    const storage = await openStorage({ kind: 's3', bucket: s3.location });
    const objects: string[] = [];
    for await (const { key } of storage.list()) objects.push(key);
    const [one = '', another = ''] = objects.filter((key) => key.startsWith('objects/'));
    const read = async (key: string) => Buffer.concat(await (await storage.open(key)).toArray());
    const [content, otherContent] = [await read(one), await read(another)];
    const altered = Buffer.from(content);
    altered.writeUInt8(altered.readUInt8(altered.byteLength - 20) ^ 1, altered.byteLength - 20);
    for (const wrong of [altered, otherContent, content.subarray(0, -1), Buffer.from('')]) {
      await storage.put(one, wrong);
      await expect(fetchBackup(source, await makeFolder())).rejects.toThrow(/cannot be opened/);
    }
    await storage.delete(one);
    await expect(fetchBackup(source, await makeFolder())).rejects.toThrow(/no object objects/);
    await storage.put(one, content);
    expect(await verifyBackup(await fetchBackup(source, await makeFolder()), FILE_OWNERS)).toMatchObject({
      faults: [],
    });
  });

  test('are sent after each backup; a failure is mailed once, until one is sent', async () => {
    const { s3, target, create, database, backups, site } = await open();
    const clock = createTestClock(Date.now());
    const logged: string[] = [];
    const log = (_: unknown, message: string) => void logged.push(message);
    const deps = {
      database,
      clock,
      siteName: site.siteName,
      siteUrl: 'https://site.example',
      logger: { error: log, warn: log, info: log } as never,
    };
    const operatorEmail = 'backups@example.test';
    const ending = new AbortController().signal;
    const send = () => sendLatest(deps, { folder: backups, target, operatorEmail, niceness: 0 }, ending);
    await create();
    s3.onRequest = () => DENIED;
    await send();
    await send();
    expect((await readCopyState(backups)).failing?.message).toContain('403');
    expect(await readMails(database, operatorEmail)).toHaveLength(1);
    s3.onRequest = () => undefined;
    await send();
    const writes = countWrites(s3);
    await send();
    expect(countWrites(s3)).toBe(writes);
    const { last, failing } = await readCopyState(backups);
    expect(failing).toBeNull();
    expect(last?.name).toBe((await readdir(backups)).findLast((name) => name.startsWith('20')));
    expect(logged.at(-1)).toBe('backup copied to the bucket');
  });

  test('of a lost folder of backups are sent under new names, and both can be fetched', async () => {
    const { target, create, backups, source } = await open();
    const first = await create();
    await sendBackup(target, first.path, Date.now());
    await rm(backups, { recursive: true });
    const second = await create();
    await sendBackup(target, second.path, Date.now());
    const fetched = await makeFolder();
    const name = toBackupName(first.manifest.takenAtMs);
    expect(await listCopies(source)).toEqual([name, toBackupName(second.manifest.takenAtMs)]);
    for (const path of [await fetchBackup(source, fetched, { name }), await fetchBackup(source, fetched)])
      expect(await verifyBackup(path, FILE_OWNERS)).toMatchObject({ faults: [] });
  });
});
