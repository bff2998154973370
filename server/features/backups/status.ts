import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { writeSynced } from './files.ts';

const STATUS = 'backup-status.json';
const FAILING = 'backup-failing.json';
const HOUR_MS = 60 * 60 * 1000;

const StatusSchema = v.object({
  lastBackup: v.nullable(v.object({ atMs: v.number(), path: v.string(), bytes: v.number() })),
  lastVerified: v.nullable(v.object({ atMs: v.number(), path: v.string(), takenAtMs: v.number() })),
});
type Recorded = v.InferOutput<typeof StatusSchema>;

const FailureSchema = v.object({ sinceMs: v.number(), message: v.string() });

/** The backups that the server makes by itself. */
export interface Schedule {
  /** An absolute path. */
  readonly folder: string;
  readonly everyHours: number;
  /** See `selectKept`. */
  readonly keep: number;
}

export interface BackupStatus extends Recorded {
  /** Null when the server makes no backups by itself. */
  readonly schedule: Schedule | null;
  /** The first of the failures since the last success; null when the last scheduled backup succeeded. */
  readonly failing: v.InferOutput<typeof FailureSchema> | null;
  /** The server makes backups by itself, and the last one, scheduled or not, is older than two intervals. */
  readonly isOverdue: boolean;
}

/** What is known of backups and restore tests, for the operator. Times are epoch ms. */
export async function readBackupStatus(
  dataDir: string,
  schedule: Schedule | null,
  nowMs: number,
): Promise<BackupStatus> {
  const recorded = await readRecorded(dataDir);
  const lastMs = recorded.lastBackup?.atMs ?? 0;
  return {
    ...recorded,
    schedule,
    failing: (await readJson(join(dataDir, FAILING), FailureSchema)) ?? null,
    isOverdue: schedule !== null && nowMs - lastMs > 2 * schedule.everyHours * HOUR_MS,
  };
}

/** Records a backup that was made; ends a series of failures. */
export async function recordBackup(dataDir: string, lastBackup: NonNullable<Recorded['lastBackup']>) {
  await record(dataDir, { lastBackup });
  await rm(join(dataDir, FAILING), { force: true });
}

/** Records a backup that was read to its end without a fault. Does nothing where there is no data folder. */
export async function recordVerification(
  dataDir: string,
  lastVerified: NonNullable<Recorded['lastVerified']>,
): Promise<void> {
  if (existsSync(dataDir)) await record(dataDir, { lastVerified });
}

/** Returns true for the first failure since the last success, to one caller of all processes. */
export async function recordFailure(dataDir: string, message: string, sinceMs: number): Promise<boolean> {
  try {
    await writeSynced(join(dataDir, FAILING), JSON.stringify({ sinceMs, message }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function record(dataDir: string, change: Partial<Recorded>): Promise<void> {
  const path = join(dataDir, STATUS);
  const draft = join(dataDir, 'temporary', `${STATUS}.${process.pid}`);
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
  await writeSynced(draft, JSON.stringify({ ...(await readRecorded(dataDir)), ...change }), { flags: 'w' });
  await rename(draft, path);
}

async function readRecorded(dataDir: string): Promise<Recorded> {
  const found = await readJson(join(dataDir, STATUS), StatusSchema);
  return found ?? { lastBackup: null, lastVerified: null };
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
