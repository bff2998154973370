import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import { syncFolder, writeSynced } from '../../platform/synced-files.ts';
import { toDraftName } from './claim.ts';
import { isFuture } from './pool.ts';

const STATUS = 'backup-status.json';
const FAILING = 'backup-failing.json';

const StatusSchema = v.object({
  lastBackup: v.nullable(v.object({ atMs: v.number(), path: v.string(), bytes: v.number() })),
  lastVerified: v.nullable(v.object({ atMs: v.number(), path: v.string(), takenAtMs: v.number() })),
  /** A backup that was restored on trial; `fault`: why it cannot be used, for the operator. */
  lastDrill: v.optional(
    v.nullable(
      v.object({ atMs: v.number(), path: v.string(), tookMs: v.number(), fault: v.nullable(v.string()) }),
    ),
    null,
  ),
});
type Recorded = v.InferOutput<typeof StatusSchema>;

const FailureSchema = v.object({ sinceMs: v.number(), message: v.string() });

/** What is known of the backups of a folder. */
export const BackupStateSchema = v.object({
  ...StatusSchema.entries,
  /** The first of the failures since the last success; null when the last scheduled backup succeeded. */
  failing: v.nullable(FailureSchema),
});
export type BackupState = v.InferOutput<typeof BackupStateSchema>;

/** The backups that the server makes by itself. */
export interface Schedule {
  /** An absolute path. */
  readonly folder: string;
  readonly everyHours: number;
  /** See `selectKept`. */
  readonly keep: number;
}

export interface BackupStatus extends BackupState {
  /** Null when the server makes no backups by itself. */
  readonly schedule: Schedule | null;
  /** The server makes backups by itself, and the last one, scheduled or not, is older than two intervals. */
  readonly isOverdue: boolean;
}

/**
 * What is known of backups and restore tests, for the operator. Times are epoch ms. It is kept beside the scheduled
 * backups, where every machine finds it; in the data folder if there are none, or while their folder is missing. Both are
 * read, and the latest counts.
 */
export async function readBackupStatus(
  dataDir: string,
  schedule: Schedule | null,
  nowMs: number,
): Promise<BackupStatus> {
  const folders = toFolders(dataDir, schedule);
  const recorded = await readRecorded(folders, nowMs);
  const failures = await Promise.all(folders.map((folder) => readJson(join(folder, FAILING), FailureSchema)));
  const lastMs = recorded.lastBackup?.atMs ?? 0;
  return {
    ...recorded,
    schedule,
    // Another machine may have succeeded since, and cannot remove what this one has recorded in its data folder.
    failing: failures.find((failure) => failure !== undefined && failure.sinceMs >= lastMs) ?? null,
    isOverdue: isOverdue(lastMs, schedule?.everyHours ?? null, nowMs),
  };
}

/** Whether the last backup is older than two intervals; never without an interval. Times are epoch ms. */
export function isOverdue(lastMs: number, everyHours: number | null, nowMs: number): boolean {
  return everyHours !== null && nowMs - lastMs > 2 * everyHours * HOUR_MS;
}

/** Records a backup that was made; ends a series of failures. */
export async function recordBackup(
  dataDir: string,
  schedule: Schedule | null,
  lastBackup: NonNullable<Recorded['lastBackup']>,
  nowMs: number,
): Promise<void> {
  await record(dataDir, schedule, { lastBackup }, nowMs);
  for (const folder of toFolders(dataDir, schedule)) await rm(join(folder, FAILING), { force: true });
}

/** Records a backup that was read to its end without a fault. Does nothing where there is no folder for it. */
export async function recordVerification(
  dataDir: string,
  schedule: Schedule | null,
  lastVerified: NonNullable<Recorded['lastVerified']>,
): Promise<void> {
  await record(dataDir, schedule, { lastVerified }, lastVerified.atMs);
}

/** Records the trial of a backup, whether it succeeded or not. */
export async function recordDrill(
  dataDir: string,
  schedule: Schedule | null,
  lastDrill: NonNullable<Recorded['lastDrill']>,
): Promise<void> {
  await record(dataDir, schedule, { lastDrill }, lastDrill.atMs);
}

/** Returns true for the first failure since the last success, to one caller of all processes. */
export async function recordFailure(
  dataDir: string,
  schedule: Schedule | null,
  message: string,
  sinceMs: number,
): Promise<boolean> {
  const { failing } = await readBackupStatus(dataDir, schedule, sinceMs);
  if (failing !== null) return false;
  const content = JSON.stringify({ sinceMs, message });
  let isFirst = false;
  await writeIntoFirst(toFolders(dataDir, schedule), async (folder) => {
    isFirst = await writeSynced(join(folder, FAILING), content).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
  });
  return isFirst;
}

function toFolders(dataDir: string, schedule: Schedule | null): string[] {
  return schedule === null ? [dataDir] : [schedule.folder, dataDir];
}

async function record(
  dataDir: string,
  schedule: Schedule | null,
  change: Partial<Recorded>,
  nowMs: number,
): Promise<void> {
  const folders = toFolders(dataDir, schedule);
  const content = JSON.stringify({ ...(await readRecorded(folders, nowMs)), ...change });
  await writeIntoFirst(folders, async (folder) => {
    // Each is where the leftovers of a killed process are removed.
    const name = `${STATUS}.${randomUUID()}`;
    const draft = folder === dataDir ? join(folder, 'temporary', name) : join(folder, toDraftName(STATUS));
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
    await writeSynced(draft, content, { flags: 'w' });
    await rename(draft, join(folder, STATUS));
    await syncFolder(folder);
  });
}

/** Writes into the first folder that exists and can be written. Throws if one exists and none can be. */
async function writeIntoFirst(
  folders: readonly string[],
  write: (folder: string) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) continue;
    try {
      await write(folder);
      return;
    } catch (error) {
      failure = error;
    }
  }
  if (failure !== undefined) throw failure;
}

/** The latest of what the folders have, without what a process recorded whose clock was ahead. */
async function readRecorded(folders: readonly string[], nowMs: number): Promise<Recorded> {
  const latest: Recorded = { lastBackup: null, lastVerified: null, lastDrill: null };
  for (const folder of folders) {
    const found = await readJson(join(folder, STATUS), StatusSchema);
    const toLater = <Entry extends { readonly atMs: number }>(
      one: Entry | null,
      other: Entry | null = null,
    ) => (other !== null && !isFuture(other.atMs, nowMs) && other.atMs > (one?.atMs ?? 0) ? other : one);
    latest.lastBackup = toLater(latest.lastBackup, found?.lastBackup);
    latest.lastVerified = toLater(latest.lastVerified, found?.lastVerified);
    latest.lastDrill = toLater(latest.lastDrill, found?.lastDrill);
  }
  return latest;
}

/** Undefined for a missing or unreadable file. */
async function readJson<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
