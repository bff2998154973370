import type { Kysely } from 'kysely';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import type { Schema } from '../database/schema.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { databaseNow } from '../database/drivers/database-now.ts';
import { deleteOlder } from '../database/statements/delete-older.ts';
import { randomId } from '../database/statements/random-id.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../log.ts';

type ChangesDatabase = Pick<Database, 'db' | 'dialect'>;

/** Tags of changed content (contract/site/page-tags.ts); undefined: everything. */
export type ChangedTags = readonly string[] | undefined;

/** A burst of changes becomes one row, and a process writes at most four rows a second. */
const BURST_MS = 30;
const WRITE_EVERY_MS = 250;
const RETRY_MS = 1_000;
/** Changes with more tags concern all pages. */
const TAGS_MAX = 200;

const POLL_MS = 1_000;
/**
 * A row may become visible this long after a later one: longer than the time limit of a statement (SERVING_LIMITS), of
 * which each row is one.
 */
const OVERLAP_MS = 40_000;
/** More rows within `OVERLAP_MS` concern all pages. */
const ROWS_MAX = 2_000;
/** After this long without an answer everything counts as changed: a standby may lack the last rows. */
const SILENCE_MS = 30_000;
const RETENTION_MS = HOUR_MS;

/** Announces this process's changes to the others. */
export interface ChangeWriter {
  /** Returns at once. The row is written within milliseconds, and again until the database takes it. */
  announce(tags?: readonly string[]): void;
  /** Writes what is left. Does not throw; what the database does not take is logged. */
  close(): Promise<void>;
}

/** `process` identifies the announcing process, which does not follow its own changes. */
export function createChangeWriter(database: ChangesDatabase, process: string, log: Log): ChangeWriter {
  const closing = new AbortController();
  const pause = (ms: number) =>
    wait(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
  let pending: ReadonlySet<string> | 'all' | undefined;
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();

  function add(tags: ChangedTags | ReadonlySet<string> | 'all'): void {
    if (tags === undefined || tags === 'all' || pending === 'all') pending = 'all';
    else pending = new Set([...(pending ?? []), ...tags]);
    if (pending !== 'all' && pending.size > TAGS_MAX) pending = 'all';
  }

  async function write(): Promise<void> {
    let isFailing = false;
    await pause(BURST_MS);
    while (pending !== undefined) {
      const changed = pending;
      pending = undefined;
      try {
        await insertChange(database, process, changed);
        isFailing = false;
      } catch (error) {
        add(changed);
        if (!isFailing) log.warn({ err: error }, 'a change could not be announced to other processes');
        if (closing.signal.aborted) break;
        isFailing = true;
      }
      await pause(isFailing ? RETRY_MS : WRITE_EVERY_MS);
    }
    isWriting = false;
  }

  return {
    announce(tags) {
      if (tags?.length === 0) return;
      add(tags);
      if (isWriting) return;
      isWriting = true;
      written = write();
    },
    async close() {
      closing.abort();
      await written;
    },
  };
}

async function insertChange(
  database: ChangesDatabase,
  process: string,
  changed: ReadonlySet<string> | 'all',
): Promise<void> {
  const tags = changed === 'all' ? null : JSON.stringify([...changed]);
  const row = { id: randomId(), at: databaseNow(database), process, tags };
  const db: Kysely<Pick<Schema, 'page_changes'>> = database.db;
  await db.insertInto('page_changes').values(row).execute();
}

export interface FollowOptions {
  readonly pollMs?: number;
  readonly silenceMs?: number;
}

/**
 * Calls `onChange` within about a second after another process has announced a change. Polls by an index and needs no
 * session, so that it works behind a connection pooler. Returns a function that ends it.
 */
export function followChanges(
  database: ChangesDatabase,
  process: string,
  onChange: (tags?: readonly string[]) => void,
  { pollMs = POLL_MS, silenceMs = SILENCE_MS }: FollowOptions = {},
): () => void {
  let seen: ReadonlySet<string> = new Set();
  /** The database's time at the last answer; unknown at first, when nothing is cached yet. */
  let polledAt: number | undefined;
  let answeredAt = performance.now();
  let isPolling = false;
  let isEnded = false;

  async function poll(): Promise<void> {
    const { now, rows } = await selectChanges(database, process, polledAt);
    if (isEnded) return;
    const wasSilent = performance.now() - answeredAt > silenceMs;
    const fresh = rows.filter(({ id }) => !seen.has(id));
    // Only rows that the next answer can repeat.
    seen = new Set(rows.map(({ id }) => id));
    polledAt = now;
    answeredAt = performance.now();
    if (wasSilent || rows.length > ROWS_MAX || fresh.some(({ tags }) => tags === null)) onChange();
    else if (fresh.length > 0) onChange([...new Set(fresh.flatMap(({ tags }) => tags ?? []))]);
  }

  function startPoll(): void {
    if (isPolling) return;
    isPolling = true;
    poll()
      .catch(() => undefined) // The next poll tries again; requests report that the database is down.
      .finally(() => (isPolling = false));
  }

  startPoll();
  const timer = setInterval(startPoll, pollMs);
  timer.unref();
  return () => {
    isEnded = true;
    clearInterval(timer);
  };
}

/** The database's time, and the newest changes of other processes since shortly before `polledAt`. */
async function selectChanges(database: ChangesDatabase, process: string, polledAt: number | undefined) {
  const since = polledAt === undefined ? Number.MAX_SAFE_INTEGER : polledAt - OVERLAP_MS;
  const { rows } = await sql<{ now: number; id: string | null; tags: string | null }>`
    select clock.now, changes.id, changes.tags
    from (select ${databaseNow(database)} as now) clock
    left join page_changes changes on changes.at > ${since} and changes.process <> ${process}
    order by changes.at desc limit ${ROWS_MAX + 1}`.execute(database.db);
  return {
    now: rows[0]?.now,
    rows: rows.flatMap(({ id, tags }) =>
      id === null ? [] : [{ id, tags: tags === null ? null : (JSON.parse(tags) as string[]) }],
    ),
  };
}

/** Deletes changes that every process has read. */
export async function deleteOldChanges(database: ChangesDatabase): Promise<void> {
  await deleteOlder(database.db, {
    table: 'page_changes',
    when: ['at', '<', sql<number>`${databaseNow(database)} - ${RETENTION_MS}`],
  });
}
