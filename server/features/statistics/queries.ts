import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { toDayStart } from '../../../contract/values/months.ts';
import { dayOf } from '../../platform/database/statements/days.ts';
import { PLAY_SOURCES } from '../../../contract/sounds/plays.ts';
import type { PlaySource } from '../../../contract/sounds/plays.ts';
import { toCertifiedSound } from './tables.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Days } from './span.ts';
import type { Db } from './tables.ts';

/** Words of one reply. */
const WORDS_MAX = 30;

/** Whose figures: of all sounds of an artist, or of one of them. */
export interface Scope {
  readonly artistId: string;
  readonly sound: { readonly id: string; readonly seq: number } | null;
}

/** Figures of one day; PostgreSQL returns sums as text. */
export interface DayCount {
  readonly day: number;
  readonly count: number | string;
}

export interface SoundCount {
  readonly sound_id: string;
  readonly count: number | string;
}

export function findOwnSound(db: Db, artistId: string, id: string) {
  return db
    .selectFrom('sounds')
    .select(['id', 'seq'])
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The titles of an artist's sounds, deleted ones left out. */
export function selectTitles(db: Db, artistId: string) {
  return db
    .selectFrom('sounds')
    .select(['id', 'title'])
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .execute();
}

const sounds = (db: Db, { artistId, sound }: Scope) => {
  const own = db.selectFrom('sounds').where('artist_id', '=', artistId);
  return sound === null ? own : own.where('seq', '=', sound.seq);
};

/** Where plays are counted: by day, and by the day on which their month begins. */
const PLAYS = { day: 'sound_days', month: 'sound_months' } as const;
const TOTAL = sql.join(
  PLAY_SOURCES.map((source) => sql.ref(`plays.from_${source}`)),
  sql` + `,
);

function plays(db: Db, unit: 'day' | 'month', scope: Scope, { from, until }: Days): RawBuilder<unknown> {
  const seqs = sounds(db, scope).select('seq');
  const start = sql.ref(`plays.${unit}`);
  return sql`from ${sql.table(PLAYS[unit])} as plays
    where plays.sound_seq in (${seqs}) and ${start} >= ${from} and ${start} < ${until}`;
}

export type PlaysOfDay = { readonly day: number } & Readonly<
  Record<PlaySource | 'downloads', number | string>
>;

/** Plays of each day or month by where they began, and downloads. */
export async function selectPlays(db: Db, unit: 'day' | 'month', scope: Scope, days: Days) {
  const columns = [
    sql`sum(plays.downloads) as downloads`,
    ...PLAY_SOURCES.map((source) => sql`sum(${sql.ref(`plays.from_${source}`)}) as ${sql.ref(source)}`),
  ];
  const { rows } = await sql<PlaysOfDay>`
    select ${sql.ref(`plays.${unit}`)} as day, ${sql.join(columns)} ${plays(db, unit, scope, days)}
    group by ${sql.ref(`plays.${unit}`)}`.execute(db);
  return rows;
}

/** Plays and downloads of each sound. */
export async function selectPlaysBySound(db: Db, unit: 'day' | 'month', scope: Scope, days: Days) {
  const { rows } = await sql<SoundCount & { readonly downloads: number | string }>`
    select sounds.id as sound_id, counted.count, counted.downloads from (
      select plays.sound_seq, sum(${TOTAL}) as count, sum(plays.downloads) as downloads ${plays(db, unit, scope, days)} group by plays.sound_seq
    ) as counted inner join sounds on sounds.seq = counted.sound_seq`.execute(db);
  return rows;
}

/** What is counted one by one: its rows, their times and sounds. */
function count(
  db: Db,
  rows: RawBuilder<unknown>,
  time: string,
  soundId: RawBuilder<unknown>,
  { from, until }: Days,
) {
  const day = dayOf(time);
  const within = sql`${rows} and ${sql.ref(time)} >= ${toDayStart(from)} and ${sql.ref(time)} < ${toDayStart(until)}`;
  return {
    byDay: async () =>
      (await sql<DayCount>`select ${day} as day, count(*) as count ${within} group by ${day}`.execute(db))
        .rows,
    bySound: async () =>
      (
        await sql<SoundCount>`
          select ${soundId} as sound_id, count(*) as count ${within} group by ${soundId}`.execute(db)
      ).rows,
  };
}

/** Favourites that are still there. */
export function countFavorites({ db }: Database, scope: Scope, days: Days) {
  const rows = sql`from favorites inner join sounds on sounds.seq = favorites.sound_seq
    where favorites.sound_seq in (${sounds(db, scope).select('seq')})`;
  return count(db, rows, 'favorites.created_at', sql.ref('sounds.id'), days);
}

/** Certificates, by an index on their signed texts. */
export function countCertificates({ db, dialect }: Database, scope: Scope, days: Days) {
  const soundId = sql.raw(toCertifiedSound(dialect));
  const rows = sql`from certificates where ${soundId} in (${sounds(db, scope).select('id')})`;
  return count(db, rows, 'issued_at', soundId, days);
}

/** Uses that the artist has confirmed, by when they were reported. */
export function countUses({ db }: Database, scope: Scope, days: Days) {
  const ofSound = scope.sound === null ? sql`` : sql`and uses.sound_id = ${scope.sound.id}`;
  const rows = sql`from uses where artist_id = ${scope.artistId} and state = 'confirmed' ${ofSound}`;
  return count(db, rows, 'uses.created_at', sql.ref('uses.sound_id'), days);
}

/** Yen of an artist by day, as the ledger keeps them. */
export function selectRewards(db: Db, artistId: string, { from, until }: Days) {
  return db
    .selectFrom('artist_days')
    .select(['day', 'reward_yen as count'])
    .where('user_id', '=', artistId)
    .where('day', '>=', from)
    .where('day', '<', until)
    .execute();
}

/** Words that enough networks have used, in the months that overlap the days. */
export async function selectFoundWords(db: Db, scope: Scope, months: readonly number[]) {
  return db
    .selectFrom('found_words')
    .select(({ fn }) => ['word', fn.sum<number | string>('uses').as('plays')])
    .where('sound_seq', 'in', sounds(db, scope).select('seq'))
    .where('month', 'in', months)
    .where('is_shown', '=', sql.lit(1))
    .groupBy('word')
    .orderBy('plays', 'desc')
    .orderBy('word')
    .limit(WORDS_MAX)
    .execute();
}

/** Searches without results that enough networks have made, of some months; the most frequent first. */
export async function selectMissedWords(db: Db, months: readonly number[], limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('missed_words')
    .select(({ fn }) => ['word', fn.sum<number>('uses').as('uses')])
    .where('month', 'in', months)
    .where('is_shown', '=', 1)
    .groupBy('word')
    .orderBy('uses', 'desc')
    .orderBy('word')
    .limit(limit)
    .execute();
  return rows.map(({ word }) => word);
}
