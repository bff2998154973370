import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { setStaff } from '#server/features/accounts/members.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { recordBackup } from '#server/features/backups/status.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import type { Site } from '#server/features/doctor/check.ts';
import { FILE_OWNERS } from '#server/features.ts';
import { openHost } from '#server/host.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { storePicture } from '#server/media/pictures/pictures.ts';
import { openDatabase } from '#server/schema/open.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { type Settings, parseSettings } from '#server/settings.ts';
import type { Database } from '#server/platform/database/open.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import type { TestLocation } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makePaper } from '#support/files/pictures.ts';
import { toOutput } from '#support/http/host.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { runCommand } from '#support/processes/operator.ts';

export const STAFF = 'staff@example.test';
export const DAY_MS = 86_400_000;

interface JsonFinding {
  readonly kind: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly isFixable: boolean;
}

interface JsonReport {
  readonly checks: readonly { name: string; state: string; findings: readonly JsonFinding[] }[];
  readonly repaired: readonly string[];
  readonly notRepaired?: readonly string[];
}

/** A site that has been started once, with a staff account, an artist and two sounds with files; nothing is wrong. */
export async function makeHealthySite(
  locate: () => Promise<TestLocation>,
  more: Readonly<Record<string, string>> = {},
  onEnd: (end: () => Promise<void>) => void = onTestFinished,
) {
  const place = await locate();
  const env = { DATA_DIR: join(await makeFolder(onEnd), 'data'), ...place.env, ...more };
  const settings = parseSettings({ ...env, PORT: '0' });
  await (await openHost(settings, toOutput())).close();
  const database = await openDatabase(settings.database);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= database.close());
  onEnd(async () => {
    await close();
    await place.remove();
  });
  // Made by command.
  const nowMs = Date.now();
  await recordBackup(settings.dataDir, null, { atMs: nowMs, path: '/elsewhere/site.tar', bytes: 1 }, nowMs);
  const storage = await openStorage(settings.storage);
  const staffId = await createUser(database, { username: 'staff', email: STAFF });
  await setStaff({ database, clock: systemClock }, staffId, null, 1);
  const picture = await makePaper(300, 300).png().toBuffer();
  const picture_key = await storePicture(storage, picture, 'avatar', 'salt');
  const artistId = await addUploader(database, 'artist', { picture_key });
  const typeId = await createSoundType(database, { name: 'BGM' });
  const addSound = async (title: string, isPublished = true) => {
    const bytes = Buffer.from(`sound ${title}`);
    const audio_key = createHash('sha256').update(bytes).digest('hex');
    await storage.put(`sounds/${audio_key}`, bytes);
    const file = { audio_key, audio_mime: 'audio/mpeg', audio_size: bytes.byteLength, filename: 'a.mp3' };
    const sound = { ...file, artist_id: artistId, type_id: typeId, title, duration_ms: 1_000 };
    return {
      ...(await createSound(database, { ...sound, description: '静かな雨の音', is_published: isPublished })),
      audio_key,
    };
  };
  const sounds = [await addSound('朝の森'), await addSound('下書き', false)] as const;

  const ids = { staffId, artistId, typeId };
  return { ...createDoctor(env), ...ids, env, close, settings, database, storage, sounds, addSound };
}
export type HealthySite = Awaited<ReturnType<typeof makeHealthySite>>;

/** The command on the site of these settings. */
export function createDoctor(env: Readonly<Record<string, string>> & { readonly DATA_DIR: string }) {
  const run = (...args: string[]) => runCommand(env, 'doctor', ...args);

  return {
    run,
    toPath: (key: string) => {
      const [top = '', name = '', ...rest] = key.split('/');
      return join(env.DATA_DIR, 'files', top, name.slice(0, 2), name, ...rest);
    },
    /** The kinds of failed checks by their name, and the exit code; `args` such as `--fix`. */
    async diagnose(...args: string[]) {
      const { code, out, err } = await run('--json', ...args);
      if (out === '') throw new Error(err);
      const { checks, repaired, notRepaired = [] } = JSON.parse(out) as JsonReport;
      const failed = checks.filter(({ state }) => state === 'failed');
      return {
        code,
        repaired,
        notRepaired,
        failed: Object.fromEntries(
          failed.map(({ name, findings }) => [name, findings.map(({ kind }) => kind)]),
        ),
        findings: failed.flatMap(({ findings }) => findings),
        states: Object.fromEntries(checks.map(({ name, state }) => [name, state])),
      };
    },
  };
}

/** A site as the checks get it, with an open database and storage if the check needs them. */
export function toCheckedSite(
  settings: Settings,
  opened?: { readonly database: Database; readonly storage: Storage },
): Site {
  const open = async <Part>(part: Part | undefined): Promise<Part> => {
    if (part === undefined) throw new Error('not needed');
    return part;
  };
  return {
    settings,
    files: FILE_OWNERS,
    clock: systemClock,
    nodeVersion: process.versions.node,
    openDatabase: () => open(opened?.database),
    openStorage: () => open(opened?.storage),
  };
}

/** Sets the time at which a file was last changed to `days` ago. */
export async function makeOlder(path: string, days: number): Promise<void> {
  const at = new Date(Date.now() - days * DAY_MS);
  await utimes(path, at, at);
}
