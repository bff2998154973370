import { sql } from 'kysely';
import type { ChangeWay } from '../../../contract/sounds/sound-changes.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Period } from './deletion-queries.ts';
import { FORMER_VALUES_MS } from './limits.ts';
import type { MergedChanges } from './merging.ts';
import type { Judgement, SoundValues } from './worsening.ts';
import type { Db } from './tables.ts';

/** A change of a sound, to be recorded. */
export interface RecordedChange extends Judgement {
  readonly soundSeq: number;
  /** The values that it replaced. */
  readonly before: Partial<SoundValues>;
}

export async function insertChanges(
  db: Db,
  artist_id: string,
  way: ChangeWay,
  changes: readonly RecordedChange[],
  changed_at: number,
): Promise<void> {
  const rows = changes.map(({ soundSeq, before, isWorse, isWider }) => ({
    sound_seq: soundSeq,
    artist_id,
    way,
    before: JSON.stringify(before),
    is_worse: isWorse ? (1 as const) : (0 as const),
    is_wider: isWider ? (1 as const) : (0 as const),
    changed_at,
  }));
  await db.insertInto('sound_changes').values(rows).execute();
}

/** The changes of sounds since a time, oldest first. */
export async function selectChanges(db: Db, soundSeqs: readonly number[], sinceMs: number) {
  const rows = await db
    .selectFrom('sound_changes')
    .select(['seq', 'sound_seq', 'way', 'before', 'is_worse', 'is_wider', 'changed_at'])
    .where('sound_seq', 'in', soundSeqs)
    .where('changed_at', '>=', sinceMs)
    .orderBy('changed_at')
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, before: JSON.parse(row.before) as Partial<SoundValues> }));
}
export type StoredChange = Awaited<ReturnType<typeof selectChanges>>[number];

function queryChanges(db: Db, artistId: string, { sinceMs, untilMs = Number.MAX_SAFE_INTEGER }: Period) {
  return db
    .selectFrom('sound_changes')
    .where('sound_changes.artist_id', '=', artistId)
    .where('changed_at', '>=', sinceMs)
    .where('changed_at', '<', untilMs);
}

/** Changes that a mail names. */
function queryNamedChanges(db: Db, artistId: string, period: Period) {
  return queryChanges(db, artistId, period).where((where) =>
    where.or([where('is_worse', '=', 1), where('is_wider', '=', 1)]),
  );
}

/** How many sounds an artist has changed in a period, and how many of them in a way that a mail names. */
export async function countChangedSounds(
  db: Db,
  artistId: string,
  period: Period,
): Promise<{ readonly all: number; readonly marked: number }> {
  const count = sql<number>`count(distinct sound_seq)`.as('sounds');
  const all = await queryChanges(db, artistId, period).select(count).executeTakeFirstOrThrow();
  const marked = await queryNamedChanges(db, artistId, period).select(count).executeTakeFirstOrThrow();
  return { all: Number(all.sounds), marked: Number(marked.sounds) };
}

/** How many sounds, beside the given ones, got worse since a time. */
export async function countOthersWorsened(
  db: Db,
  artistId: string,
  sinceMs: number,
  seqs: readonly number[],
): Promise<number> {
  const { sounds } = await queryChanges(db, artistId, { sinceMs })
    .select(sql<number>`count(distinct sound_seq)`.as('sounds'))
    .where('is_worse', '=', 1)
    .where('sound_seq', 'not in', seqs)
    .executeTakeFirstOrThrow();
  return Number(sounds);
}

/** When the first change since a time was made that a mail would name. */
export async function findFirstMarked(
  db: Db,
  artistId: string,
  sinceMs: number,
): Promise<number | undefined> {
  const row = await queryNamedChanges(db, artistId, { sinceMs })
    .select('changed_at')
    .orderBy('changed_at')
    .limit(1)
    .executeTakeFirst();
  return row?.changed_at;
}

/** Some of the changes that a mail names, with the present names of their sounds, oldest first. */
export async function selectMarked(db: Db, artistId: string, period: Period, limit: number) {
  const rows = await queryNamedChanges(db, artistId, period)
    .innerJoin('sounds', 'sounds.seq', 'sound_changes.sound_seq')
    .select(['sound_changes.sound_seq', 'sound_changes.before', 'sounds.title', 'sounds.filename'])
    .orderBy('sound_changes.changed_at')
    .orderBy('sound_changes.seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, before: JSON.parse(row.before) as Partial<SoundValues> }));
}

/** The sounds that were changed in a period, in the order in which `lockSounds` locks them. */
export async function selectChangedSeqs(
  db: Db,
  artistId: string,
  period: Period,
  isNamedOnly: boolean,
): Promise<number[]> {
  const rows = await (isNamedOnly ? queryNamedChanges : queryChanges)(db, artistId, period)
    .select('sound_seq')
    .distinct()
    .orderBy('sound_seq')
    .execute();
  return rows.map(({ sound_seq }) => sound_seq);
}

/** Undone changes are in no mail, and do not count against the password. */
export async function clearMarks(db: Db, artistId: string, { sinceMs, untilMs }: Period): Promise<void> {
  await db
    .updateTable('sound_changes')
    .set({ is_worse: 0, is_wider: 0 })
    .where('artist_id', '=', artistId)
    .where('changed_at', '>=', sinceMs)
    .where('changed_at', '<', untilMs ?? Number.MAX_SAFE_INTEGER)
    .execute();
}

/** Which sounds an artist has allowed more for since a time, and the first time of it. */
export async function selectWidened(db: Db, artistId: string, sinceMs: number) {
  return queryChanges(db, artistId, { sinceMs })
    .innerJoin('sounds', 'sounds.seq', 'sound_changes.sound_seq')
    .where('is_wider', '=', 1)
    .select(({ fn }) => ['sounds.id', fn.min('changed_at').as('since')])
    .groupBy('sounds.id')
    .execute();
}

/** Whether a sound has been published or hidden since a time. */
export async function hasBeenPublic(db: Db, soundSeq: number, sinceMs: number): Promise<boolean> {
  return (await selectChanges(db, [soundSeq], sinceMs)).some(
    ({ before }) => before.is_published !== undefined,
  );
}

/** The rows of an artist; and at most how many there are of the site, by their numbers. */
export async function countRows(db: Db, artistId: string) {
  const { own } = await db
    .selectFrom('sound_changes')
    .select(({ fn }) => fn.countAll<number>().as('own'))
    .where('artist_id', '=', artistId)
    .executeTakeFirstOrThrow();
  // Two queries: SQLite reads the whole table for both values at once.
  const end = (of: 'min' | 'max') =>
    db
      .selectFrom('sound_changes')
      .select(({ fn }) => fn[of]('seq').as('seq'))
      .executeTakeFirstOrThrow();
  const [first, last] = [(await end('min')).seq, (await end('max')).seq];
  return { own: Number(own), all: Number(last ?? 0) - Number(first ?? 0) };
}

/** Of the given sounds, those with more rows than `most`. */
export async function selectCrowded(db: Db, seqs: readonly number[], most: number): Promise<number[]> {
  const rows = await db
    .selectFrom('sound_changes')
    .select('sound_seq')
    .where('sound_seq', 'in', seqs)
    .groupBy('sound_seq')
    .having(({ fn }) => fn.countAll(), '>', most)
    .execute();
  return rows.map(({ sound_seq }) => sound_seq);
}

/** Stores what `mergeChanges` returns. */
export async function storeMerged(db: Db, { removed, merged }: MergedChanges<StoredChange>): Promise<void> {
  if (removed.length === 0) return;
  const seqs = removed.map(({ seq }) => seq);
  await db.deleteFrom('sound_changes').where('seq', 'in', seqs).execute();
  for (const { seq, before, is_worse, is_wider } of merged) {
    await db
      .updateTable('sound_changes')
      .set({ before: JSON.stringify(before), is_worse, is_wider })
      .where('seq', '=', seq)
      .execute();
  }
}

/** Deletes what can no longer be brought back. */
export async function deleteFormerValues({
  database: { db },
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const untilMs = clock.now() - FORMER_VALUES_MS;
  await deleteOlder(db, { table: 'sound_changes', key: ['seq'], when: ['changed_at', '<=', untilMs] });
}
