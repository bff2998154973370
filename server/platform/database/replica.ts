import { sql } from 'kysely';
import { invalidateCache } from './statements/cached.ts';
import { asProcess } from './drivers/connection-share.ts';
import { classifyFailure, isTransient } from './drivers/failure.ts';
import type { Handle } from './handle.ts';

/** A replica that is further behind is not used. */
export const REPLICA_LAG_MS_MAX = 5_000;
/** The shortest time between two checks. They run while something is read, and nobody waits for them. */
const CHECK_MS = 1_000;
/** After a failure, the replica is not used for this time. */
const RETRY_MS = 5_000;
/** Enough to look back for `REPLICA_LAG_MS_MAX`. */
const SAMPLES_MAX = REPLICA_LAG_MS_MAX / CHECK_MS + 2;

/** What can be read: the primary, or its replica. */
interface Source {
  readonly db: Handle;
  close(): Promise<void>;
}

/** A streaming replica of the database, for reads of public data. */
export interface Replica<Database extends Source> {
  /**
   * Runs a read that may see a state of up to `REPLICA_LAG_MS_MAX` ago, though never one from before a change that was
   * announced to this process. Reads from `primary` if the replica is too far behind, or fails. A read for which the
   * replica is busy goes to the primary alone: the others stay.
   */
  read<Result>(primary: Database, read: (source: Database) => Promise<Result>): Promise<Result>;
  /** Whether reads use it, and how old what it has is at most, in ms, as of the last check. Starts one if it is due. */
  describe(): { readonly isInUse: boolean; readonly lagMs: number };
  /** Call after a change of public data, before anything that shows it is read again. */
  noteChange(): void;
  close(): Promise<void>;
}

/** Reads public data for a caller who is not logged in: see `Replica.read`. */
export function readPublic<
  Database extends Source & { readonly replica?: Replica<Database> | undefined },
  Result,
>(database: Database, read: (source: Database) => Promise<Result>): Promise<Result> {
  return database.replica?.read(database, read) ?? read(database);
}

/** A position in the log of the primary, and when this process asked for it. */
interface Sample {
  readonly atMs: number;
  readonly position: bigint;
}

export interface ReplicaOptions<Database extends Source> {
  /** Opened on first use; a rejection is a failure of the replica. */
  readonly open: () => Promise<Database>;
  /** Called when reads begin to use the replica, and when they no longer do. */
  readonly report: (message: string) => void;
  /** Milliseconds on a clock that only advances. */
  readonly now?: () => number;
}

/** Nothing is opened before the first read. */
export function createReplica<Database extends Source>(
  primary: Handle,
  { open, report, now = () => performance.now() }: ReplicaOptions<Database>,
): Replica<Database> {
  let opened: Database | undefined;
  let checking: Promise<void> | undefined;
  let nextCheckMs = -Infinity;
  /** The replica has everything that was committed before. */
  let completeUntilMs = -Infinity;
  let changedAtMs = -Infinity;
  /** The change of which its cache is clear. */
  let clearedForMs = -Infinity;
  /** The lag at the last check; infinite while the replica is not used. */
  let lagMs = Infinity;
  let reported: string | undefined;
  const samples: Sample[] = [];

  function reportChange(message: string): void {
    if (message === reported) return;
    reported = message;
    report(message);
  }

  /** Sends reads to the primary at once, and closes connections: hanging ones would fail the next attempts too. */
  function abandon(error: unknown): void {
    completeUntilMs = -Infinity;
    lagMs = Infinity;
    nextCheckMs = now() + RETRY_MS;
    if (opened !== undefined) void discard(opened);
    opened = undefined;
    reportChange(`the replica is not used: ${error instanceof Error ? error.message : String(error)}`);
  }

  async function check(): Promise<void> {
    const atMs = now();
    samples.push({ atMs, position: await readPosition(primary) });
    if (samples.length > SAMPLES_MAX) samples.shift();
    try {
      if (opened === undefined) {
        const database = await open();
        await requireSameCluster(primary, database.db);
        opened = database;
      }
      const replayed = await readReplayed(opened.db);
      const reached = samples.findLast(({ position }) => position <= replayed);
      completeUntilMs = reached?.atMs ?? -Infinity;
      if (changedAtMs > clearedForMs && completeUntilMs > changedAtMs) {
        // What was cached of it before the change.
        invalidateCache(opened);
        clearedForMs = changedAtMs;
      }
      lagMs = now() - completeUntilMs;
      const isBehind = lagMs > REPLICA_LAG_MS_MAX;
      reportChange(isBehind ? 'the replica is not used: it is too far behind' : 'the replica is used');
    } catch (error) {
      // A busy replica is asked again; until then, the age of the last answer decides.
      if (opened === undefined || !isBusy(error)) abandon(error);
    }
  }

  function find(): Database | undefined {
    const nowMs = now();
    if (nowMs >= nextCheckMs && checking === undefined) {
      nextCheckMs = nowMs + CHECK_MS;
      // A failure of the primary is reported by the reads.
      // Not in the turn of the caller, whose connections may all be in use.
      checking = asProcess(check)
        .catch(() => undefined)
        .finally(() => (checking = undefined));
    }
    const isComplete = completeUntilMs > changedAtMs && nowMs - completeUntilMs <= REPLICA_LAG_MS_MAX;
    return isComplete ? opened : undefined;
  }

  return {
    async read(database, read) {
      const source = find();
      if (source === undefined) return read(database);
      try {
        return await read(source);
      } catch (error) {
        if (!isBusy(error)) abandon(error);
        return read(database);
      }
    },
    describe() {
      find();
      return { isInUse: opened !== undefined && lagMs <= REPLICA_LAG_MS_MAX, lagMs };
    },
    noteChange() {
      changedAtMs = now();
    },
    async close() {
      await checking;
      await opened?.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return isTransient(classifyFailure(error));
}

async function discard(database: Source): Promise<void> {
  await database.close().catch(() => undefined);
}

/** The end of what was committed so far. Fails on a server that is itself a replica. */
async function readPosition(db: Handle): Promise<bigint> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`.execute(db);
  return toPosition(rows[0]?.lsn);
}

async function readReplayed(db: Handle): Promise<bigint> {
  const { rows } = await sql<{ lsn: string | null }>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as lsn`.execute(db);
  const lsn = rows[0]?.lsn ?? undefined;
  if (lsn === undefined) throw new Error('DATABASE_REPLICA_URL leads to a server that is not a replica');
  return toPosition(lsn);
}

/** Throws if the servers have different data: positions could not be compared. */
async function requireSameCluster(primary: Handle, replica: Handle): Promise<void> {
  const read = async (db: Handle) => {
    const { rows } = await sql<{
      cluster: string;
    }>`select concat(system_identifier, ' ', current_database()) as cluster from pg_control_system()`.execute(
      db,
    );
    return rows[0]?.cluster;
  };
  if ((await read(primary)) !== (await read(replica)))
    throw new Error('DATABASE_REPLICA_URL leads to a replica of another database');
}

/** `16/B374D848`: two halves in hexadecimal. */
function toPosition(lsn = ''): bigint {
  const [high = '', low = ''] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/**
 * How far a replica is behind, in ms, or why it cannot be used. Waits for it until it has everything that was committed
 * before the call, at most `REPLICA_LAG_MS_MAX`.
 */
export async function measureReplica(
  primary: Handle,
  open: () => Promise<Source>,
  wait: (ms: number) => Promise<unknown>,
): Promise<
  | { readonly state: 'usable'; readonly lagMs: number }
  | { readonly state: 'behind' }
  | { readonly state: 'unusable'; readonly reason: string }
> {
  const startMs = performance.now();
  const position = await readPosition(primary);
  let replica: Source | undefined;
  try {
    replica = await open();
    await requireSameCluster(primary, replica.db);
    for (;;) {
      const isComplete = (await readReplayed(replica.db)) >= position;
      const lagMs = Math.round(performance.now() - startMs);
      if (isComplete) return { state: 'usable', lagMs };
      if (lagMs > REPLICA_LAG_MS_MAX) return { state: 'behind' };
      await wait(50);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    return { state: 'unusable', reason: `${reason} (${classifyFailure(error) ?? 'error'})` };
  } finally {
    await replica?.close();
  }
}
