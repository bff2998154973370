import { constants } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { FILE_OWNERS } from '#server/features.ts';
import { toDay } from '#contract/values/months.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { recordBackup } from '#server/features/backups/status.ts';
import { reindexSound } from '#server/features/catalogue/search/comparing.ts';
import { recordDownloadReward } from '#server/features/downloads/credits.ts';
import { storeImage } from '#server/features/reviews/personal-info/images.ts';
import { openDatabase } from '#server/schema/open.ts';
import { readSealingKey } from '#server/platform/crypto/sealed-keys.ts';
import { parseSettings } from '#server/settings.ts';
import {
  copyDatabase,
  copyTemplate,
  getRow,
  insertMany,
  insertRow,
  locateTestDatabase,
  updateRows,
} from '#support/databases/databases.ts';
import type { TestLocation } from '#support/databases/databases.ts';
import { type HealthySite, DAY_MS, createDoctor, makeHealthySite, makeOlder } from './doctor.ts';
import { addCertificate, addNotice, addSecondFactor, toHash } from './rich-rows.ts';

type Kind = 'sqlite' | 'postgres';
type OnEnd = (end: () => Promise<void>) => void;

/** Ids of what a rich site has. */
export interface RichFacts {
  /** An uploaded sound with a favourite and a credited download, and one that was not uploaded. */
  readonly sound: { readonly id: string; readonly seq: number; readonly audio_key: string };
  /** A public one without favourites and downloads, whose file is as long as that of `sound`. */
  readonly other: { readonly id: string; readonly seq: number; readonly audio_key: string };
  readonly draft: { readonly id: string; readonly seq: number; readonly audio_key: string };
  readonly staffId: string;
  readonly artistId: string;
  readonly pictureKey: string;
  readonly noticeKey: string;
}

interface Prepared {
  readonly root: string;
  readonly databaseUrl: string | undefined;
  readonly facts: RichFacts;
}

/** A site with something of everything that the doctor looks at, and backups; copies of it are damaged. */
export async function prepareRichSite(kind: Kind, onEnd: OnEnd): Promise<Prepared> {
  const root = await makeRoot(onEnd);
  await mkdir(join(root, 'data'));
  await mkdir(join(root, 'backups'));
  const env = toEnv(root);
  const site = await makeHealthySite(() => locate(kind, root), env, onEnd);
  const facts = await fill(site);
  const place = { ...site.settings, version: '0.0.0', files: FILE_OWNERS };
  const { path, bytesWritten } = await createBackup(place, env.BACKUP_DIR, { withKeys: false });
  const nowMs = Date.now();
  await recordBackup(env.DATA_DIR, site.settings.backups, { atMs: nowMs, path, bytes: bytesWritten }, nowMs);
  await createBackup(place, join(env.BACKUP_DIR, 'own.tar'), { withKeys: false });
  await makeOlder(join(env.BACKUP_DIR, 'own.tar'), 1);
  await site.close();
  return {
    root,
    databaseUrl: kind === 'sqlite' ? undefined : (site.settings.database as { readonly url: string }).url,
    facts,
  };
}

/** A copy of a prepared site, whose database is open for writing. */
export async function copyRichSite({ root, databaseUrl, facts }: Prepared, onEnd: OnEnd) {
  const copy = await makeRoot(onEnd);
  await cp(root, copy, { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true });
  const place = databaseUrl === undefined ? undefined : await copyDatabase(databaseUrl);
  if (place !== undefined) onEnd(place.remove);
  /** A plant may change it. */
  const env: Record<string, string> & { readonly DATA_DIR: string } = { ...toEnv(copy), ...place?.env };
  const settings = parseSettings({ ...env, PORT: '0' });
  const database = await openDatabase(settings.database, { access: 'write' });
  if (database.dialect === 'sqlite') await sql`pragma synchronous = off`.execute(database.db);
  return {
    ...facts,
    ...createDoctor(env),
    root: copy,
    env,
    settings,
    database,
    kind: database.dialect,
    run: async (...statements: string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(database.db);
    },
  };
}
export type RichSite = Awaited<ReturnType<typeof copyRichSite>>;

function toEnv(root: string) {
  return { DATA_DIR: join(root, 'data'), BACKUP_DIR: join(root, 'backups') };
}

async function makeRoot(onEnd: OnEnd): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'otoichi-rich-'));
  onEnd(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function locate(kind: Kind, root: string): Promise<TestLocation> {
  if (kind === 'postgres') return locateTestDatabase(kind);
  const file = join(root, 'data', 'site.sqlite');
  copyTemplate(file);
  return { location: { kind, file }, env: { DATA_DIR: join(root, 'data') }, remove: () => Promise.resolve() };
}

async function fill(site: HealthySite): Promise<RichFacts> {
  const { database, storage, artistId, staffId } = site;
  const { db } = database;
  const nowMs = Date.now();
  const [sound, draft] = site.sounds;
  const other = await site.addSound('夜の海');
  const fanId = await createUser(database, { username: 'fan', email: 'fan@example.test' });
  await insertRow({ db }, 'favorites', { user_id: fanId, sound_seq: sound.seq, created_at: nowMs });
  const credit = { visitor: null, user_id: null, network: null, decided_at: null, decided_by: null };
  const ofArtist = { ...credit, artist_id: artistId, is_counted: 1 as const };
  await insertMany({ db }, 'download_credits', [
    {
      ...ofArtist,
      id: 'one',
      intent_id: 'one',
      sound_id: sound.id,
      state: 'credited',
      reason: '',
      yen: 3,
      created_at: nowMs,
    },
    // Older than the first sound: all of its downloads still have their rows.
    {
      ...ofArtist,
      id: 'old',
      intent_id: 'old',
      sound_id: draft.id,
      state: 'refused',
      reason: 'repeat',
      yen: 0,
      created_at: nowMs - 3 * DAY_MS,
    },
  ]);
  const counts = { day: toDay(nowMs), downloads: 0, counted: 1, credits: 1 };
  await insertRow({ db }, 'download_counts', { ...counts, subject: `artist:${artistId}` });
  await db
    .transaction()
    .execute((transaction) =>
      recordDownloadReward(transaction, { intentId: 'one', artistId, soundId: sound.id, yen: 3 }, nowMs),
    );
  await updateRows(
    { db },
    'sounds',
    { content_hash: sound.audio_key, favorite_count: 1, download_count: 1, popularity: 4 },
    { seq: sound.seq },
  );
  // As a sound of an earlier host: it began with counts.
  await updateRows(
    { db },
    'sounds',
    { favorite_count: 7, download_count: 5, popularity: 26, created_at: nowMs - 9 * DAY_MS },
    { seq: draft.seq },
  );
  await updateRows({ db }, 'sounds', { content_hash: other.audio_key }, { seq: other.seq });
  for (const { seq } of [sound, draft]) await reindexSound(database, seq);
  await submit(site, fanId);
  const noticeKey = await addNotice(site);
  await addCertificate(site);
  await addSecondFactor(site);
  const report = { id: 'report', sound_id: sound.id, sound_title: '', artist_id: artistId, network: 'n' };
  const reporter = { name: '', email: 'r@example.test', email_key: 'r@example.test', secret_hash: 's' };
  await insertRow({ db }, 'reports', {
    ...report,
    ...reporter,
    explanation: '',
    reason: 'other',
    shares_name: 0,
    state: 'unconfirmed',
    version: 0,
    due_at: nowMs + DAY_MS,
    created_at: nowMs,
    updated_at: nowMs,
  });
  const event = { report_id: 'report', version: 0, event: 'submit', at: nowMs, reason: '' };
  await insertRow({ db }, 'report_events', { ...event, state: 'unconfirmed' });
  const { picture_key } = await getRow({ db }, 'users', { id: artistId });
  return { sound, other, draft, staffId, artistId, noticeKey, pictureKey: picture_key ?? '' };

  async function submit({ settings }: HealthySite, userId: string): Promise<void> {
    const row = { user_id: userId, submitted_at: nowMs, decided_at: null, decided_by: null };
    await insertRow({ db }, 'personal_info_submissions', {
      ...row,
      id: 'waiting',
      object_key: 'personal-info/waiting',
      state: 'pending',
    });
    const personalInfoKey = readSealingKey(join(settings.dataDir, 'secrets/personal-info.pub'));
    if (personalInfoKey === undefined) throw new Error('no public key');
    await storeImage(
      { storage, personalInfoKey },
      { submissionId: 'waiting', userId },
      Buffer.from('photograph'),
    );
    await updateRows({ db }, 'users', { personal_info_status: 'pending' }, { id: userId });
    const content = Buffer.from('song of an applicant');
    await storage.put('quality-check/application-1', content);
    await insertRow({ db }, 'quality_checks', { ...row, id: 'application', state: 'pending' });
    await insertRow({ db }, 'quality_check_files', {
      quality_check_id: 'application',
      slot: 1,
      object_key: 'quality-check/application-1',
      filename: 'a.mp3',
      mime: 'audio/mpeg',
      duration_ms: 1,
      bit_rate: 1,
      sample_rate: 1,
      size_bytes: content.byteLength,
      sha256: toHash(content),
    });
    await updateRows({ db }, 'users', { status: 'pending' }, { id: userId });
  }
}
