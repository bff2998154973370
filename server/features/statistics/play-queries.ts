import { sql } from 'kysely';
import { toDay, toFirstDay, toMonth } from '../../../contract/values/months.ts';
import { PLAY_SOURCES } from '../../../contract/sounds/plays.ts';
import type { Db } from './tables.ts';

/** Sounds of one statement: both databases limit its parameters. */
const ROWS_AT_ONCE = 500;

/** What is counted of a sound on a day. */
export interface PlaysRow {
  readonly sound_seq: number;
  readonly day: number;
  /** The day on which its month begins. */
  readonly month: number;
  /** In the order of `PLAY_SOURCES`. */
  readonly plays: readonly number[];
  readonly downloads?: number;
}

/** Public sounds by id, which stay until the transaction ends. */
export async function selectPublicSounds(db: Db, ids: readonly string[]) {
  const sounds = new Map<string, { readonly seq: number; readonly artist_id: string }>();
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const rows = await db
      .selectFrom('sounds')
      .select(['id', 'seq', 'artist_id'])
      .where('id', 'in', ids.slice(from, from + ROWS_AT_ONCE))
      .where('is_published', '=', 1)
      .orderBy('seq')
      .forKeyShare()
      .execute();
    for (const { id, ...sound } of rows) sounds.set(id, sound);
  }
  return sounds;
}

const COLUMNS = [...PLAY_SOURCES.map((source) => `from_${source}`), 'downloads'];

/** Adds plays and downloads to those of their days and months, in one order, so that processes wait for each other without deadlocks. */
export async function addPlays(db: Db, rows: readonly PlaysRow[]): Promise<void> {
  const ordered = rows.toSorted((one, other) => one.sound_seq - other.sound_seq || one.day - other.day);
  for (let from = 0; from < ordered.length; from += ROWS_AT_ONCE) {
    const some = ordered.slice(from, from + ROWS_AT_ONCE);
    await addTo(
      db,
      'sound_days',
      'day',
      some.map(({ sound_seq, day, plays, downloads = 0 }) => [sound_seq, day, ...plays, downloads]),
    );
  }
  const months = new Map<string, readonly number[]>();
  for (const { sound_seq, month, plays, downloads = 0 } of ordered) {
    const key = `${sound_seq} ${month}`;
    const before = months.get(key)?.slice(2) ?? [];
    months.set(key, [
      sound_seq,
      month,
      ...[...plays, downloads].map((count, index) => count + (before[index] ?? 0)),
    ]);
  }
  const values = [...months.values()];
  for (let from = 0; from < values.length; from += ROWS_AT_ONCE)
    await addTo(db, 'sound_months', 'month', values.slice(from, from + ROWS_AT_ONCE));
}

/** Counts a download, in the transaction that adds it to the public count of its sound. */
export async function addDownload(db: Db, sound_seq: number, atMs: number): Promise<void> {
  const plays = PLAY_SOURCES.map(() => 0);
  await addPlays(db, [{ sound_seq, day: toDay(atMs), month: toMonthStart(atMs), plays, downloads: 1 }]);
}

/** The day on which the month of a moment begins. */
export function toMonthStart(timeMs: number): number {
  return toFirstDay(toMonth(timeMs));
}

async function addTo(
  db: Db,
  table: 'sound_days' | 'sound_months',
  span: 'day' | 'month',
  rows: readonly (readonly number[])[],
): Promise<void> {
  const columns = ['sound_seq', span, ...COLUMNS].map((name) => sql.ref(name));
  const added = COLUMNS.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns)})
    values ${sql.join(rows.map((row) => sql`(${sql.join(row)})`))}
    on conflict (sound_seq, ${sql.ref(span)}) do update set ${sql.join(added)}`.execute(db);
}
