import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { DAY_MS, HOUR_MS } from '../../../contract/values/time-units.ts';
import type { Platform } from '../../platform/http/context.ts';
import { syncFolder, writeSynced } from '../../platform/synced-files.ts';
import { toDraftName } from './claim.ts';
import { deleteOldErasures, selectErasures, selectNewestErasures } from './erasure-queries.ts';
import { BackupRefused } from './format.ts';
import { reportErasures } from './places.ts';
import { listDated, toBackupTime } from './pool.ts';
import type { Schedule } from './status.ts';

/** Beside the backups: it survives the loss of the data, and an older backup does not replace it. */
export const ERASURES = 'erasures.json';
/** Longer while an older backup is in the folder. Copies of backups elsewhere are not known here. */
const KEPT_MS = 400 * DAY_MS;

/** A restore reads the list as a whole. About a million and a half of erasures. */
export const ERASURES_BYTES_MAX = 64 * 1024 * 1024;
/** The hourly job had its turn since. */
const LATE_MS = 2 * HOUR_MS;
/** Compared at most, the newest first. */
const COMPARED_MAX = 1_000;

/** When an account or sound was erased, epoch ms, by its id: no personal data. */
const TimesSchema = v.record(v.pipe(v.string(), v.maxLength(64)), v.pipe(v.number(), v.safeInteger()));
const ErasuresSchema = v.object({ accounts: TimesSchema, sounds: TimesSchema });
export type Erasures = v.InferOutput<typeof ErasuresSchema>;

type ErasureDeps = Pick<Platform, 'database' | 'clock'>;

/**
 * The hourly job of every process: `saveErasures` into its `BACKUP_DIR`, if that is there, with a report for the other
 * machines. The leader is not enough: it may be on a machine without the folder.
 */
export async function keepErasures(deps: ErasureDeps, schedule: Schedule | null): Promise<void> {
  if (schedule === null || (await stat(schedule.folder).catch(() => undefined)) === undefined) return;
  try {
    await saveErasures(deps, schedule.folder);
  } catch (error) {
    await reportErasures(deps, schedule, error instanceof Error ? error.message : String(error));
    throw error;
  }
  await reportErasures(deps, schedule, null);
}

/** The hourly job of the leader. The lists in folders keep entries for as long as they have an older backup. */
export async function forgetErasures({ database, clock }: ErasureDeps): Promise<void> {
  await deleteOldErasures(database.db, clock.now() - KEPT_MS);
}

/**
 * Adds what was erased since to the list in a folder of backups, and removes what no backup in it can bring back. Only
 * reads the database. Throws `BackupRefused` for a list that cannot be read: it is not replaced.
 */
export async function saveErasures(deps: ErasureDeps, folder: string): Promise<void> {
  const { database } = deps;
  const sinceMs = await toFirstKept(deps, folder);
  const saved = await readList(folder);
  const lists = [saved ?? EMPTY, await selectErasures(database.db)];
  const content = JSON.stringify(merge(lists, sinceMs));
  if (saved !== undefined && content === JSON.stringify(saved)) return;
  const draft = join(folder, toDraftName(ERASURES));
  await writeSynced(draft, content);
  await rename(draft, join(folder, ERASURES));
  await syncFolder(folder);
}

/** Epoch ms. */
async function toFirstKept({ clock }: ErasureDeps, folder: string): Promise<number> {
  const oldest = (await listDated(folder, clock.now())).names[0];
  return Math.min(clock.now() - KEPT_MS, oldest === undefined ? Infinity : toBackupTime(oldest));
}

/** The size of the list in a folder; 0 if there is none. */
export async function measureErasures(folder: string): Promise<number> {
  return (await stat(join(folder, ERASURES)).catch(() => undefined))?.size ?? 0;
}

/** Ids of what was erased more than two hours ago and is not in the list of a folder. Throws `BackupRefused`. */
export async function listUnsavedErasures(
  { database, clock }: ErasureDeps,
  folder: string,
): Promise<string[]> {
  const { accounts, sounds } = (await readList(folder)) ?? EMPTY;
  const beforeMs = clock.now() - LATE_MS;
  const rows = await selectNewestErasures(database.db, beforeMs, COMPARED_MAX);
  return rows.map(({ id }) => id).filter((id) => !(id in accounts) && !(id in sounds));
}

/** How many erasures, of more than two hours ago, came after a time; at most a thousand. Null: all. */
export async function countErasuresSince(
  { database, clock }: ErasureDeps,
  sinceMs: number | null,
): Promise<number> {
  const rows = await selectNewestErasures(database.db, clock.now() - LATE_MS, COMPARED_MAX);
  return rows.filter(({ erased_at }) => erased_at > (sinceMs ?? 0)).length;
}

/** The lists in these folders as one; undefined if there is none. Throws `BackupRefused` if one cannot be read. */
export async function readErasures(folders: readonly string[]): Promise<Erasures | undefined> {
  const lists: Erasures[] = [];
  for (const folder of new Set(folders)) {
    const list = await readList(folder);
    if (list !== undefined) lists.push(list);
  }
  return lists.length === 0 ? undefined : merge(lists, 0);
}

const EMPTY: Erasures = { accounts: {}, sounds: {} };

async function readList(folder: string): Promise<Erasures | undefined> {
  const path = join(folder, ERASURES);
  try {
    return v.parse(ErasuresSchema, JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new BackupRefused(
      `the list of erasures ${path} cannot be read (${code ?? message}); take it from a copy of the backups, or restore ` +
        'with --without-erasures: what was erased since the backup is then there again',
    );
  }
}

/** The latest time of each, in the order of the ids. */
function merge(lists: readonly Erasures[], sinceMs: number): Erasures {
  const join = (kind: keyof Erasures) => {
    const latest = new Map<string, number>();
    for (const list of lists)
      for (const [id, atMs] of Object.entries(list[kind]))
        if (atMs >= sinceMs) latest.set(id, Math.max(atMs, latest.get(id) ?? 0));
    return Object.fromEntries([...latest].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return { accounts: join('accounts'), sounds: join('sounds') };
}
