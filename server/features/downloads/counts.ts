import { toDay, toDayStart } from '../../../contract/values/months.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import { NETWORK_MULTIPLE, PROVIDER_MULTIPLE } from '../../platform/http/address-limits.ts';
import { TooManyRequests } from '../../platform/limits/rate-limits.ts';
import { toNetworkSubject, toVisitorSubject } from '../visitors/member-traces.ts';
import type { AddressHashes } from '../visitors/addresses.ts';
import type { ArtistDays, DayCounts } from './rules.ts';
import type { Db } from './tables.ts';

/** An artist's usual day is the median of this many days. */
const USUAL_DAYS = 90;
/** The counts of the whole site are kept for the console's statistics. */
const SITE_DAYS = 400;
/** For this many days, an amount once approved by the staff is not held again. */
const APPROVED_DAYS = 30;

/** The subjects for which a day's downloads are counted. */
export const toHostSubject = ({ host }: AddressHashes) => `host:${host}`;
export const toMemberSubject = (memberId: string) => `member:${memberId}`;
export const toNetworkAndArtistSubject = (address: AddressHashes, artistId: string) =>
  `${toNetworkSubject(address)} ${artistId}`;
export const toProviderSubject = ({ provider }: AddressHashes) => `provider:${provider}`;
export const toProviderAndArtistSubject = (address: AddressHashes, artistId: string) =>
  `${toProviderSubject(address)} ${artistId}`;
export const SITE_SUBJECT = 'site';
export const toArtistSubject = (artistId: string) => `artist:${artistId}`;

/** The origin of a download: a member or an address, and a visitor if there is a cookie. */
interface Source {
  readonly memberId: string | null;
  readonly address: AddressHashes;
  readonly visitor: string;
}

/**
 * Counts a completed download against a cap. Throws `TooManyRequests` when it exceeds the cap, with the time until the
 * end of the day in Japan.
 */
export async function countCompleted(db: Db, source: Source, cap: number, nowMs: number): Promise<void> {
  const day = toDay(nowMs);
  const multiples = toSources(source);
  const counts = await addDownload(db, [...multiples.keys()], day);
  const isAbove = counts.some(({ subject, downloads }) => downloads > cap * (multiples.get(subject) ?? 1));
  // The caller's transaction is rolled back, and the rows with it.
  if (isAbove) throw tooMany(day, nowMs);
}

/** Adds one to the downloads of each subject, and returns them. Callers name subjects in one order: see `toSources`. */
export function addDownload(db: Db, subjects: readonly string[], day: number) {
  return db
    .insertInto('download_counts')
    .values(subjects.map((subject) => ({ subject, day, downloads: 1, counted: 0, credits: 0 })))
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'day'])
        .doUpdateSet((set) => ({ downloads: set('download_counts.downloads', '+', 1) })),
    )
    .returning(['subject', 'downloads'])
    .execute();
}

/** The downloads of subjects on a day; without those that have none. */
export function readDownloads(db: Db, subjects: readonly string[], day: number) {
  return db
    .selectFrom('download_counts')
    .select(['subject', 'downloads'])
    .where('subject', 'in', subjects)
    .where('day', '=', day)
    .execute();
}

/**
 * Throws like `countCompleted` without counting, so that no advertisement is watched for a download that will be
 * refused.
 */
export async function requireBelowCap(db: Db, source: Source, cap: number, nowMs: number): Promise<void> {
  const day = toDay(nowMs);
  const multiples = toSources(source);
  const counts = await readDownloads(db, [...multiples.keys()], day);
  const isReached = counts.some(({ subject, downloads }) => downloads >= cap * (multiples.get(subject) ?? 1));
  if (isReached) throw tooMany(day, nowMs);
}

export type CountsOfDay = (subject: string) => DayCounts;

/** Today's downloads and credits of these subjects. */
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

/** An artist's earlier days; reads at most one row for each of 90 days. */
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
  const approved = rows.filter((row) => row.approved > 0 && row.day >= today - APPROVED_DAYS);
  return {
    usual: credits[USUAL_DAYS / 2] ?? 0,
    approvedMax: Math.max(0, ...approved.map((row) => row.credits)),
  };
}

/** Adds the decision of the rules, or of the staff, on a download to the counts of its day. */
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

/** Deletes counts of past days, except those of artists that are part of a usual day, and those of the site for a year. */
export async function deleteOldCounts(db: Db, nowMs: number): Promise<void> {
  const day = toDay(nowMs);
  await deleteOlder(db, {
    table: 'download_counts',
    key: ['subject', 'day'],
    when: ['day', '<', day],
    also: (where) =>
      where.or([
        where('day', '<', day - SITE_DAYS),
        where('subject', '!=', SITE_SUBJECT).and(
          where.or([where('day', '<', day - USUAL_DAYS), where('subject', 'not like', 'artist:%')]),
        ),
      ]),
  });
}

/**
 * The subjects of a download with the multiple of its cap. Members are counted by account, so that a school behind one
 * address counts as many people; networks and providers bound the rows of whoever rotates addresses. The widest comes
 * first, and the visitor last: a fixed order prevents deadlocks.
 */
function toSources({ memberId, address, visitor }: Source): ReadonlyMap<string, number> {
  return new Map([
    ...(memberId === null
      ? ([
          [`all ${toProviderSubject(address)}`, PROVIDER_MULTIPLE],
          [`all ${toNetworkSubject(address)}`, NETWORK_MULTIPLE],
          [toHostSubject(address), 1],
        ] as const)
      : ([[toMemberSubject(memberId), 1]] as const)),
    ...(visitor === '' ? [] : ([[toVisitorSubject(visitor), 1]] as const)),
  ]);
}

function tooMany(day: number, nowMs: number): TooManyRequests {
  return new TooManyRequests(Math.max(1, Math.ceil((toDayStart(day + 1) - nowMs) / 1000)));
}
