import { DAY_MS } from '../../../contract/values/time-units.ts';
import { listMonths, toDay, toFirstDay, toMonth } from '../../../contract/values/months.ts';
import type { Month } from '../../../contract/values/months.ts';
import type { MonthFigures, PendingRelease, Profile } from '../../../contract/accounts/profile.ts';
import { toArtistAccount } from './postings.ts';
import { findRelease, toPayable } from './pending-release.ts';
import type { EarnedDay } from './pending-release.ts';
import { selectMemberPayouts } from './queries.ts';
import { toOwnPayout } from './payout-history.ts';
import type { Db } from './tables.ts';

const MONTHS_SHOWN = 12;
/** REWARD_PENDING_DAYS: reversals for invalid traffic are made within a month. */
export const PENDING_DAYS_DEFAULT = 30;

/** The earnings on a profile, ready for the reply (spec §2, "Reward figures"). */
export interface Figures {
  /** Yen that a payout would transfer: the balance without the pending part. */
  readonly reward_balance: number;
  /** Yen of this month and of the last days before it, and the number of those days. */
  readonly pending_reward: number;
  readonly pending_days: number;
  /** undefined when nothing is pending. */
  readonly pending_release: PendingRelease | undefined;
  readonly total_download_balance: number;
  /** For the requested month; '-' when none was requested. */
  readonly month_reward_balance: number | '-';
  readonly month_total_download_balance: number | '-';
  /** The last twelve months, current one first, including those without earnings. */
  readonly months: MonthFigures[];
  /** The first month with earnings; undefined when there is none. */
  readonly first_month: Month | undefined;
  /** The open request. */
  readonly transfer_request: Profile['transfer_request'];
  /** The newest request once it is decided. */
  readonly last_transfer: Profile['last_transfer'];
}

type Earned = Pick<MonthFigures, 'reward' | 'downloads'>;
const NOTHING: Earned = { reward: 0, downloads: 0 };

/** A member's earnings as of `nowMs` (epoch ms): four look-ups by key, whatever the history. */
export async function readFigures(
  db: Db,
  userId: string,
  nowMs: number,
  month?: Month,
  pendingDays = PENDING_DAYS_DEFAULT,
): Promise<Figures> {
  // Sequential: a transaction has one connection.
  const balance = await findBalance(db, userId);
  const pending = await selectDays(db, userId, toPendingSince(nowMs, pendingDays));
  const payable = toPayable(balance, pending);
  const earned = await selectMonths(db, userId);
  const [newest] = await selectMemberPayouts(db, userId, { limit: 1 });
  const current = toMonth(nowMs);
  const monthFigures = month === undefined ? undefined : (earned.get(month) ?? NOTHING);
  return {
    reward_balance: payable,
    pending_reward: balance - payable,
    pending_days: pendingDays,
    pending_release: findRelease(balance, pending, nowMs, pendingDays),
    total_download_balance: sum([...earned.values()].map(({ downloads }) => downloads)),
    month_reward_balance: monthFigures?.reward ?? '-',
    month_total_download_balance: monthFigures?.downloads ?? '-',
    months: listMonths(current, MONTHS_SHOWN).map((each) => ({
      month: each,
      ...(earned.get(each) ?? NOTHING),
    })),
    first_month: [...earned.keys()].sort()[0] as Month | undefined,
    // A second request is rejected while one is open, so an open one is the newest.
    transfer_request:
      newest?.state === 'requested'
        ? { amount: newest.amount, requested_at: new Date(newest.created_at).toISOString() }
        : undefined,
    last_transfer: newest && newest.state !== 'requested' ? toOwnPayout(newest) : undefined,
  };
}

/**
 * The amount of a payout made now from a balance that is already locked: what was earned until last month (spec §2) and
 * at least `pendingDays` ago, in whole days of Japan.
 */
export async function readPayable(
  db: Db,
  userId: string,
  balance: number,
  nowMs: number,
  pendingDays = PENDING_DAYS_DEFAULT,
): Promise<number> {
  return toPayable(balance, await selectDays(db, userId, toPendingSince(nowMs, pendingDays)));
}

/** The first day (`toDay`) whose rewards cannot be paid out yet. */
export function toPendingSince(nowMs: number, pendingDays = PENDING_DAYS_DEFAULT): number {
  const monthBegan = toFirstDay(toMonth(nowMs));
  return Math.min(monthBegan, toDay(nowMs - pendingDays * DAY_MS));
}

/** Earnings on and after a day (`toDay`): one row per day, at most two months. */
function selectDays(db: Db, userId: string, day: number): Promise<EarnedDay[]> {
  return db
    .selectFrom('artist_days')
    .select(['day', 'reward_yen'])
    .where('user_id', '=', userId)
    .where('day', '>=', day)
    .orderBy('day')
    .execute();
}

async function findBalance(db: Db, userId: string): Promise<number> {
  const account = await db
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('id', '=', toArtistAccount(userId))
    .executeTakeFirst();
  return account?.balance ?? 0;
}

/** Reads twelve rows per year. */
async function selectMonths(db: Db, userId: string): Promise<ReadonlyMap<string, Earned>> {
  const rows = await db
    .selectFrom('artist_months')
    .select(['month', 'downloads', 'reward_yen as reward'])
    .where('user_id', '=', userId)
    .execute();
  return new Map(rows.map(({ month, ...figures }) => [month, figures]));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
