import { sql } from 'kysely';
import { toDayStart } from '../../../contract/values/months.ts';
import { dayOf } from '../../platform/database/statements/days.ts';
import { HOLD_REASONS } from './rules.ts';
import type { Db } from './tables.ts';

/** The held credits of an artist from one day. */
export interface HeldGroup {
  readonly artistId: string;
  readonly username: string;
  readonly isBlocked: boolean;
  /** Day of the downloads (`toDay`). */
  readonly day: number;
  readonly credits: number;
  readonly yen: number;
  /** How many are held for each reason, without reasons that none is held for. */
  readonly reasons: readonly { readonly reason: (typeof HOLD_REASONS)[number]; readonly credits: number }[];
  /** The moment of the last download (epoch ms). */
  readonly newestAt: number;
}

/** The index `download_credits_held` has it. */
const DAY = dayOf('created_at');

/**
 * The held credits by artist and day, those of the oldest day first; those after `after` if it is given. For staff
 * only.
 */
export async function listHeldGroups(
  db: Db,
  limit: number,
  after: { readonly day: number; readonly artistId: string } = { day: 0, artistId: '' },
): Promise<HeldGroup[]> {
  const groups = db
    .selectFrom('download_credits')
    .select(['artist_id', DAY.as('day')])
    .select(({ fn }) => [
      fn.countAll<number>().as('credits'),
      fn.sum<number>('yen').as('yen'),
      fn.max('created_at').as('newest_at'),
    ])
    .select(({ fn }) =>
      HOLD_REASONS.map((reason) => fn.countAll<number>().filterWhere('reason', '=', reason).as(reason)),
    )
    // A literal: both databases use a partial index only if they see its condition.
    .where(sql<boolean>`state = 'held'`)
    .where(sql<boolean>`(${DAY}, artist_id) > (${after.day}, ${after.artistId})`)
    .groupBy([DAY, 'artist_id'])
    .orderBy(DAY)
    .orderBy('artist_id')
    .limit(limit);
  const rows = await db
    .selectFrom(groups.as('held'))
    .innerJoin('users', 'users.id', 'held.artist_id')
    .selectAll('held')
    .select(['users.username', 'users.is_blocked'])
    .orderBy('held.day')
    .orderBy('held.artist_id')
    .execute();
  return rows.map((row) => ({
    artistId: row.artist_id,
    username: row.username,
    isBlocked: row.is_blocked === 1,
    day: Number(row.day),
    credits: Number(row.credits),
    yen: Number(row.yen),
    reasons: HOLD_REASONS.map((reason) => ({ reason, credits: Number(row[reason]) })).filter(
      ({ credits }) => credits > 0,
    ),
    newestAt: Number(row.newest_at),
  }));
}

/** The last decision on a credit, or on any of an artist's credits of one day, by name. */
export function findLastDecision(
  db: Db,
  of: { readonly id: string } | { readonly artistId: string; readonly day: number },
) {
  const decided = db
    .selectFrom('download_credits as credits')
    .innerJoin('users as staff', 'staff.id', 'credits.decided_by')
    .select(['credits.state', 'staff.username'])
    .orderBy('credits.decided_at', 'desc')
    .limit(1);
  return (
    'id' in of
      ? decided.where('credits.id', '=', of.id)
      : decided
          .where('credits.artist_id', '=', of.artistId)
          .where('credits.created_at', '>=', toDayStart(of.day))
          .where('credits.created_at', '<', toDayStart(of.day + 1))
  ).executeTakeFirst();
}
