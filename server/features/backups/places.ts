import { hostname } from 'node:os';
import * as v from 'valibot';
import { DAY_MS, HOUR_MS } from '../../../contract/values/time-units.ts';
import type { Platform } from '../../platform/http/context.ts';
import { deleteOldPlaces, putPlace, selectPlaces } from './place-queries.ts';
import { isFuture } from './pool.ts';
import { BackupStateSchema, isOverdue, readBackupStatus } from './status.ts';
import type { BackupState, Schedule } from './status.ts';

/** Machines report once an hour: one that is silent for longer has stopped, or has another name now. */
const SILENT_MS = 3 * HOUR_MS;
const KEPT_MS = 30 * DAY_MS;
/** For a site whose operator makes backups by command. */
const BY_COMMAND_MS_MAX = 7 * DAY_MS;
/** A machine that gets a new name at each start adds a row each time. */
const PLACES_MAX = 100;
const FAULT_CHARS = 500;

type PlaceDeps = Pick<Platform, 'database' | 'clock'>;

/** Where the state of the backups of this machine is. */
export interface OwnBackups {
  readonly dataDir: string;
  readonly backups: Schedule | null;
}

/** A folder of backups of any machine. Times are epoch ms. */
export interface BackupPlace extends BackupState {
  readonly host: string;
  /** Null: backups are made by command, and `BACKUP_DIR` is not set there. */
  readonly folder: string | null;
  readonly isHere: boolean;
  readonly everyHours: number | null;
  /** When its list of erasures was last complete, and why it could not be completed since. */
  readonly erasures: { readonly atMs: number | null; readonly fault: string | null };
  readonly seenAtMs: number;
  /**
   * - `failing`: the last backup failed.
   * - `overdue`: the last backup is too old.
   * - `silent`: its machine has not reported for three hours.
   */
  readonly condition: 'working' | 'failing' | 'overdue' | 'silent';
}

/** Tells the other machines the state of the backups of this one, if it has or had any. */
export async function reportPlace(
  { database, clock }: PlaceDeps,
  { dataDir, backups }: OwnBackups,
): Promise<void> {
  const nowMs = clock.now();
  const { schedule, isOverdue: _, ...state } = await readBackupStatus(dataDir, backups, nowMs);
  if (schedule === null && state.lastBackup === null) return;
  const { failing } = state;
  const content = { ...state, failing: failing && { ...failing, message: shorten(failing.message) } };
  await putPlace(
    database.db,
    { host: hostname(), folder: schedule?.folder ?? '' },
    { state: JSON.stringify(content), every_hours: schedule?.everyHours ?? null, seen_at: nowMs },
  );
}

/** Tells the other machines whether the list of erasures in a folder is complete; `fault` says why not. */
export async function reportErasures(
  { database, clock }: PlaceDeps,
  { folder, everyHours }: Schedule,
  fault: string | null,
): Promise<void> {
  const nowMs = clock.now();
  const change =
    fault === null ? { erasures_at: nowMs, erasures_fault: null } : { erasures_fault: shorten(fault) };
  await putPlace(
    database.db,
    { host: hostname(), folder },
    { ...change, every_hours: everyHours, seen_at: nowMs },
  );
}

/** The hourly job of the leader. */
export async function forgetPlaces({ database, clock }: PlaceDeps): Promise<void> {
  await deleteOldPlaces(database.db, clock.now() - KEPT_MS, PLACES_MAX);
}

/**
 * The folders of backups that machines report, with that of this machine as it is now. Silent ones only if no other is
 * known: a machine with another name or folder has usually taken their place.
 */
export async function listPlaces(
  { database, clock }: PlaceDeps,
  { dataDir, backups }: OwnBackups,
): Promise<readonly BackupPlace[]> {
  const nowMs = clock.now();
  const own = { host: hostname(), folder: backups?.folder ?? '' };
  const rows = await selectPlaces(database.db, nowMs - KEPT_MS, PLACES_MAX);
  const places: BackupPlace[] = [];
  const { schedule, isOverdue: _, ...state } = await readBackupStatus(dataDir, backups, nowMs);
  if (schedule !== null || state.lastBackup !== null) {
    const row = rows.find(({ host, folder }) => host === own.host && folder === own.folder);
    const report = {
      ...own,
      every_hours: schedule?.everyHours ?? null,
      erasures_at: row?.erasures_at ?? null,
      erasures_fault: row?.erasures_fault ?? null,
      seen_at: nowMs,
    };
    places.push(toPlace(report, state, nowMs, true));
  }
  for (const row of rows) {
    if ((row.host === own.host && row.folder === own.folder) || isFuture(row.seen_at, nowMs)) continue;
    places.push(toPlace(row, parseState(row.state), nowMs, false));
  }
  const present = places.filter(({ condition }) => condition !== 'silent');
  return present.length > 0 ? present : places;
}

type Report = Omit<Awaited<ReturnType<typeof selectPlaces>>[number], 'state'>;

function toPlace(
  { host, folder, every_hours, erasures_at, erasures_fault, seen_at }: Report,
  state: BackupState,
  nowMs: number,
  isHere: boolean,
): BackupPlace {
  const place = {
    ...state,
    host,
    folder: folder === '' ? null : folder,
    isHere,
    everyHours: every_hours,
    erasures: { atMs: erasures_at, fault: erasures_fault },
    seenAtMs: seen_at,
  };
  return { ...place, condition: toCondition(place, nowMs) };
}

function toCondition(
  { everyHours, lastBackup, failing, seenAtMs }: Omit<BackupPlace, 'condition'>,
  nowMs: number,
): BackupPlace['condition'] {
  const lastMs = lastBackup?.atMs ?? 0;
  if (everyHours === null) return nowMs - lastMs > BY_COMMAND_MS_MAX ? 'overdue' : 'working';
  if (nowMs - seenAtMs > SILENT_MS) return 'silent';
  if (failing !== null) return 'failing';
  // As it was at the report: a newer backup is not known yet.
  return isOverdue(lastMs, everyHours, seenAtMs) ? 'overdue' : 'working';
}

const NOTHING: BackupState = { lastBackup: null, lastVerified: null, lastDrill: null, failing: null };

/** A row of another version may be anything. */
function parseState(text: string): BackupState {
  try {
    const parsed = v.safeParse(BackupStateSchema, JSON.parse(text));
    return parsed.success ? parsed.output : NOTHING;
  } catch {
    return NOTHING;
  }
}

function shorten(text: string): string {
  return text.slice(0, FAULT_CHARS);
}
