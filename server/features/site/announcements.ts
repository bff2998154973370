import type { Updateable } from 'kysely';
import { ANNOUNCEMENTS_MAX } from '../../../contract/operator/announcements.ts';
import type { AnnouncementFields, ListedAnnouncement } from '../../../contract/operator/announcements.ts';
import { toMinuteMs } from '../../../contract/operator/minutes.ts';
import { ANNOUNCEMENTS_SHOWN_MAX } from '../../../contract/site/site.ts';
import type { Announcement } from '../../../contract/site/site.ts';
import { cached } from '../../platform/database/statements/cached.ts';
import { changesRows } from '../../platform/database/statements/outcomes.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { findLastActor, toEarlierActorProblem } from '../staff/actions.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { changeSite } from './changes.ts';
import type { SiteDeps } from './changes.ts';
import type { Db } from './tables.ts';
import { own } from './tables.ts';
import type { Handle } from '../../platform/database/handle.ts';

const ACTIONS = {
  make: 'make announcement',
  change: 'change announcement',
  end: 'end announcement',
  remove: 'remove announcement',
} as const;
/** Changes of this and other processes invalidate it at once. */
const CACHE_MS = 30_000;
/** How long one that begins or ends may be missing or left on pages that are in the cache. */
const FOLLOW_MS = 5_000;

type ReadDeps = Pick<Platform, 'database' | 'clock'>;

/** Where an announcement was seen, and in which version. */
interface Seen {
  readonly id: string;
  readonly updated_at: number;
}

type Period = Pick<ListedAnnouncement, 'begins_at' | 'ends_at'>;

/** All announcements, the latest beginning first. */
export async function selectAnnouncements({ database, clock }: ReadDeps): Promise<ListedAnnouncement[]> {
  const nowMs = clock.now();
  const rows = await selectRows(database.db).execute();
  return rows.map(({ link, ...row }) => ({ ...row, link: link ?? '', state: toState(row, nowMs) }));
}

/** What pages show now, newest first. The rows are read twice a minute, and again after a change. */
export async function listVisibleAnnouncements({ database, clock }: ReadDeps): Promise<Announcement[]> {
  const rows = await cached(
    database,
    'announcements',
    () => selectRows(database.db).where('ends_at', '>', clock.now()).execute(),
    CACHE_MS,
  );
  const nowMs = clock.now();
  return rows
    .filter((row) => toState(row, nowMs) === 'current')
    .slice(0, ANNOUNCEMENTS_SHOWN_MAX)
    .map(({ id, updated_at: version, text, link, audience }) => ({ id, version, text, link, audience }));
}

/**
 * Calls `onChange` within seconds after an announcement has begun or ended, which no call announces. Each process
 * does so for its own pages. Returns a function that ends it.
 */
export function followAnnouncements(deps: ReadDeps, onChange: () => void, everyMs = FOLLOW_MS): () => void {
  let announced: string | undefined;
  async function compare(): Promise<void> {
    const before = announced;
    announced = JSON.stringify(await listVisibleAnnouncements(deps));
    if (before !== undefined && before !== announced) onChange();
  }
  // Requests report that the database is down.
  const start = () => void compare().catch(() => undefined);
  start();
  const timer = setInterval(start, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Adds an announcement and returns its id. Throws `Problem` 400, 403. */
export async function addAnnouncement(
  deps: SiteDeps,
  staffId: string,
  fields: AnnouncementFields,
): Promise<string> {
  const id = randomId();
  const row = { id, ...toColumns(deps, fields), updated_at: deps.clock.now() };
  await changeSite(
    deps,
    staffId,
    { action: ACTIONS.make, subject: id, note: row.text },
    async (transaction) => {
      if ((await selectRows(transaction).execute()).length >= ANNOUNCEMENTS_MAX)
        throw new Problem(400, `告知は${ANNOUNCEMENTS_MAX}件までです。終わったものを削除してください。`);
      await own(transaction).insertInto('announcements').values(row).execute();
    },
  );
  return id;
}

/** Replaces an announcement. Throws `Problem` 400, 403, 404, 409. */
export async function changeAnnouncement(
  deps: SiteDeps,
  staffId: string,
  seen: Seen,
  fields: AnnouncementFields,
): Promise<void> {
  await changeRow(
    deps,
    { staffId, action: ACTIONS.change, note: fields.text },
    seen,
    toColumns(deps, fields),
  );
}

/** Ends a current announcement now. Throws `Problem` 403, 404, 409. */
export async function endAnnouncement(deps: SiteDeps, staffId: string, seen: Seen): Promise<void> {
  const ends_at = deps.clock.now();
  const row = await getRow(deps.database.db, seen);
  if (ends_at <= row.begins_at || ends_at >= row.ends_at)
    throw new Problem(409, 'いまは表示していない告知です。');
  await changeRow(deps, { staffId, action: ACTIONS.end, note: row.text }, seen, { ends_at });
}

/** Deletes an announcement. Throws `Problem` 403, 404, 409. */
export async function removeAnnouncement(deps: SiteDeps, staffId: string, seen: Seen): Promise<void> {
  const { text } = await getRow(deps.database.db, seen);
  await changeRow(deps, { staffId, action: ACTIONS.remove, note: text }, seen, null);
}

/** Changes columns of the version that was seen, or deletes it (null). */
async function changeRow(
  deps: SiteDeps,
  {
    staffId,
    ...record
  }: { readonly staffId: string; readonly action: RecordedAction['action']; readonly note: string },
  { id, updated_at }: Seen,
  columns: Updateable<Schema['announcements']> | null,
): Promise<void> {
  // Two changes within a millisecond have different versions.
  const version = { updated_at: Math.max(deps.clock.now(), updated_at + 1) };
  await changeSite(deps, staffId, { ...record, subject: id }, async (transaction) => {
    const change =
      columns === null
        ? own(transaction)
            .deleteFrom('announcements')
            .where('id', '=', id)
            .where('updated_at', '=', updated_at)
        : own(transaction)
            .updateTable('announcements')
            .set({ ...columns, ...version })
            .where('id', '=', id)
            .where('updated_at', '=', updated_at);
    if (!(await changesRows(change))) throw await toConflict(transaction, id);
  });
}

function selectRows(db: Db) {
  return db
    .selectFrom('announcements')
    .selectAll()
    .orderBy('begins_at', 'desc')
    .orderBy('updated_at', 'desc');
}

/** The row in the version that was seen. Throws `Problem` 404, 409. */
async function getRow(db: Handle, { id, updated_at }: Seen) {
  const row = await selectRows(db).where('id', '=', id).executeTakeFirst();
  if (row?.updated_at !== updated_at) throw await toConflict(db, id);
  return row;
}

async function toConflict(db: Handle, id: string): Promise<Problem> {
  const last = await findLastActor(db, id, Object.values(ACTIONS));
  if (last === undefined) return notFound();
  return toEarlierActorProblem(
    last.username,
    last.action === ACTIONS.remove ? '削除しています' : '変更しています',
  );
}

/** Throws `Problem` 400. */
function toColumns({ clock }: SiteDeps, { begins, ends, link, ...fields }: AnnouncementFields) {
  const [begins_at, ends_at] = [toMinuteMs(begins), toMinuteMs(ends)];
  if (ends_at <= begins_at) {
    throw new Problem(400, { ends: '終わりは、始まりよりあとの日時にしてください。' });
  }
  if (ends_at <= clock.now())
    throw new Problem(400, { ends: '終わりは、いまよりあとの日時にしてください。' });
  return { ...fields, link: link === '' ? null : link, begins_at, ends_at };
}

function toState({ begins_at, ends_at }: Period, nowMs: number): ListedAnnouncement['state'] {
  if (nowMs < begins_at) return 'planned';
  return nowMs < ends_at ? 'current' : 'past';
}
