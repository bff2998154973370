import type { Kysely } from 'kysely';
import { toDay, toDayStart } from '../../../contract/months.ts';
import type { Schema } from '../../platform/database/database.ts';
import { TooMany } from '../../platform/limits/limits.ts';
import { toNetworkSubject, toVisitorSubject } from '../visitors/visitors.ts';
import type { AddressHashes } from '../visitors/visitors.ts';
import type { ArtistDays, DayCounts } from './rules.ts';

type Db = Kysely<Schema>;

/** Days that an artist's usual day is the median of. */
const USUAL_DAYS = 90;
/** For so many days what the staff approved once is not held again. */
const VOUCHED_DAYS = 30;

/** Whom downloads of a day are counted for. */
export const toHostSubject = ({ host }: AddressHashes) => `host:${host}`;
export const toMemberSubject = (memberId: string) => `member:${memberId}`;
export const toNetworkAndArtistSubject = (address: AddressHashes, artistId: string) =>
  `${toNetworkSubject(address)} ${artistId}`;
export const toProviderSubject = ({ provider }: AddressHashes) => `provider:${provider}`;
export const toProviderAndArtistSubject = (address: AddressHashes, artistId: string) =>
  `${toProviderSubject(address)} ${artistId}`;
export const SITE_SUBJECT = 'site';
export const toArtistSubject = (artistId: string) => `artist:${artistId}`;

/** Who has downloaded a file: a member or an address, and a visitor unless it has no cookie. */
interface Source {
  readonly memberId: string | null;
  readonly address: AddressHashes;
  readonly visitor: string;
}

/**
 * Counts a completed download against a cap. Throws `TooMany` when it is one too many, with the time until
 * the day is over in Japan.
 */
export async function countCompleted(db: Db, source: Source, cap: number, nowMs: number): Promise<void> {
  const day = toDay(nowMs);
  const rows = toSources(source).map((subject) => ({ subject, day, downloads: 1, counted: 0, credits: 0 }));
  const counts = await db
    .insertInto('download_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'day'])
        .doUpdateSet((set) => ({ downloads: set('download_counts.downloads', '+', 1) })),
    )
    .returning('downloads')
    .execute();
  if (counts.some(({ downloads }) => downloads > cap)) throw tooMany(day, nowMs);
}

/** Throws as `countCompleted` would, and counts nothing: nobody should watch an advertisement in vain. */
export async function requireBelowCap(db: Db, source: Source, cap: number, nowMs: number): Promise<void> {
  const day = toDay(nowMs);
  const full = await db
    .selectFrom('download_counts')
    .select('subject')
    .where('subject', 'in', toSources(source))
    .where('day', '=', day)
    .where('downloads', '>=', cap)
    .limit(1)
    .executeTakeFirst();
  if (full !== undefined) throw tooMany(day, nowMs);
}

export type CountsOfDay = (subject: string) => DayCounts;

/** What was counted and credited today, for some subjects. */
export async function readCounts(db: Db, subjects: readonly string[], nowMs: number): Promise<CountsOfDay> {
  const rows = await db
    .selectFrom('download_counts')
    .select(['subject', 'counted', 'credits'])
    .where('subject', 'in', subjects)
    .where('day', '=', toDay(nowMs))
    .execute();
  const bySubject = new Map(rows.map((row) => [row.subject, row]));
  return (subject) => bySubject.get(subject) ?? { counted: 0, credits: 0 };
}

/** What the artist's days before today were like; reads a row for each of 90 days at most. */
export async function readArtistDays(db: Db, artistId: string, nowMs: number): Promise<ArtistDays> {
  const today = toDay(nowMs);
  const rows = await db
    .selectFrom('download_counts')
    .select(['day', 'credits', 'approved'])
    .where('subject', '=', toArtistSubject(artistId))
    .where('day', '>=', today - USUAL_DAYS)
    .where('day', '<', today)
    .execute();
  const credits = rows.map((row) => row.credits).toSorted((a, b) => b - a);
  const approved = rows.filter((row) => row.approved > 0 && row.day >= today - VOUCHED_DAYS);
  return {
    usual: credits[USUAL_DAYS / 2] ?? 0,
    vouched: Math.max(0, ...approved.map((row) => row.credits)),
  };
}

/** Adds what the rules, or the staff, made of a download to the counts of its day. */
export async function addToCounts(
  db: Db,
  subjects: readonly string[],
  { counted, credits, approved = 0 }: DayCounts & { readonly approved?: number },
  atMs: number,
): Promise<void> {
  if (subjects.length === 0 || counted + credits === 0) return;
  const day = toDay(atMs);
  await db
    .insertInto('download_counts')
    .values(subjects.map((subject) => ({ subject, day, downloads: 0, counted, credits, approved })))
    .onConflict((conflict) =>
      conflict.columns(['subject', 'day']).doUpdateSet((set) => ({
        counted: set('download_counts.counted', '+', counted),
        credits: set('download_counts.credits', '+', credits),
        approved: set('download_counts.approved', '+', approved),
      })),
    )
    .execute();
}

/** Forgets days that are over, but for the artists' days that a usual day is made of. */
export async function forgetCounts(db: Db, nowMs: number): Promise<void> {
  const day = toDay(nowMs);
  await db
    .deleteFrom('download_counts')
    .where('day', '<', day)
    .where((where) =>
      where.or([where('day', '<', day - USUAL_DAYS), where('subject', 'not like', 'artist:%')]),
    )
    .execute();
}

/**
 * A member is known by name, so that a school full of them behind one address is many. The visitor comes last
 * always, so that two who count the same ones do not wait in a circle.
 */
function toSources({ memberId, address, visitor }: Source): string[] {
  const first = memberId === null ? toHostSubject(address) : toMemberSubject(memberId);
  return [first, ...(visitor === '' ? [] : [toVisitorSubject(visitor)])];
}

function tooMany(day: number, nowMs: number): TooMany {
  return new TooMany(Math.max(1, Math.ceil((toDayStart(day + 1) - nowMs) / 1000)));
}
