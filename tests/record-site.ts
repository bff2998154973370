/**
 * Records a small site of this version in tests/fixtures/sites, with SQLite and as statements of PostgreSQL: run it once
 * for each release (npm run record-site). It needs pg_dump of PostgreSQL on the PATH, or in the folder PG_BIN.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { setStaff } from '#server/features/accounts/members.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { reindexSound } from '#server/features/catalogue/search/comparing.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { openHost } from '#server/host.ts';
import { storePicture } from '#server/media/pictures/pictures.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { openDatabase } from '#server/schema/open.ts';
import { createLog } from '#server/platform/log.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { readVersion } from '#server/platform/version.ts';
import { parseSettings } from '#server/settings.ts';
import { startPostgres } from '#support/databases/postgres-server.ts';
import { PASSWORD, recordSite } from '#support/databases/recorded-sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const AUDIO = new URL('fixtures/audio/lame-8k.mp3', import.meta.url);
/** Of a connection, or of this version of pg_dump. */
const SETTING = /^(?:--|SET |SELECT pg_catalog\.set_config|\\|$)/;

const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
const server = await startPostgres();
try {
  await makeSite({ DATA_DIR: join(folder, 'data') });
  const other = mkdtempSync(join(tmpdir(), 'recorded-'));
  await makeSite({ DATA_DIR: join(other, 'data'), DATABASE_URL: server.adminUrl });
  rmSync(other, { recursive: true });
  const pgDump = join(process.env['PG_BIN'] ?? '', 'pg_dump');
  const options = ['--no-owner', '--no-privileges', '--inserts', server.adminUrl];
  const dump = execFileSync(pgDump, options, { encoding: 'utf8' });
  const statements = dump.split('\n').filter((line) => !SETTING.test(line));
  const bytes = recordSite(readVersion(), folder, statements.join('\n'));
  console.info(`recorded the site of ${readVersion()}: ${bytes} bytes`);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/** A staff account, an artist with two sounds of which one is public, and a listener who likes it. */
async function makeSite(env: Readonly<Record<string, string>>): Promise<void> {
  const settings = parseSettings({ ...env, PORT: '0' });
  const output = {
    log: createLog('error', { write: () => undefined }),
    writeLine: () => undefined,
    flush: () => Promise.resolve(true),
  };
  await (await openHost(settings, output)).close();
  const database = await openDatabase(settings.database);
  const storage = await openStorage(settings.storage);
  const { db } = database;
  const password_hash = await hashPassword(PASSWORD);
  const addMember = (username: string, more = {}) =>
    createUser(database, { username, email: `${username}@example.test`, password_hash, ...more });
  await setStaff({ database, clock: systemClock }, await addMember('staff'), null, 1);
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } })
    .png()
    .toBuffer();
  const picture_key = await storePicture(storage, picture, 'avatar', 'salt');
  const artist_id = await addMember('artist', { picture_key, is_verified: true });
  const user_id = await addMember('fan');
  const bytes = readFileSync(AUDIO);
  const audio_key = createHash('sha256').update(bytes).digest('hex');
  await storage.put(`sounds/${audio_key}`, bytes);
  const sound = {
    artist_id,
    audio_key,
    audio_mime: 'audio/mpeg',
    audio_size: bytes.byteLength,
    filename: 'a.mp3',
    type_id: await createSoundType(database, { name: 'BGM' }),
    duration_ms: 500,
    description: '静かな雨の音',
  };
  const { seq } = await createSound(database, { ...sound, title: '朝の森', is_published: true });
  await createSound(database, { ...sound, title: '下書き', is_published: false });
  await everyTable(db)
    .insertInto('favorites')
    .values({ user_id, sound_seq: seq, created_at: Date.now() })
    .execute();
  await everyTable(db)
    .updateTable('sounds')
    .set({ favorite_count: 1, popularity: 3 })
    .where('seq', '=', seq)
    .execute();
  await reindexSound(database, seq);
  await database.close();
}
