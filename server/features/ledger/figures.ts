import type { Kysely } from 'kysely';
import { listMonths, toDay, toMonth } from '../../../contract/months.ts';
import type { Month } from '../../../contract/months.ts';
import type { MonthFigures, PendingRelease, Profile } from '../../../contract/profile.ts';
import type { Schema } from '../../platform/database/database.ts';
import { toArtistAccount } from './postings.ts';
import { findRelease, toPayable } from './pending-release.ts';
import type { EarnedDay } from './pending-release.ts';
import { selectMemberRequests } from './queries.ts';
import { toTransfer } from './transfer-history.ts';

const MONTHS_SHOWN = 12;
const DAY_MS = 86_400_000;
/** REWARD_PENDING_DAYS: what is taken back for invalid traffic is taken back within a month. */
export const PENDING_DAYS_DEFAULT = 30;

/** What a profile says of its owner's earnings, ready for the reply (spec §2, "Reward figures"). */
export interface Figures {
  /** Yen that a payout would be about: all that is there but what is pending. */
  readonly reward_balance: number;
  /** Yen of this month, and of the last days before it; those are so many. */
  readonly pending_reward: number;
  readonly pending_days: number;
  /** undefined when nothing waits. */
  readonly pending_release: PendingRelease | undefined;
  readonly total_download_balance: number;
  /** Of the month that was asked for; '-' when none was. */
  readonly month_reward_balance: number | '-';
  readonly month_total_download_balance: number | '-';
  /** The last twelve months, the current one first; those without earnings too. */
  readonly months: MonthFigures[];
  /** The first month with earnings; undefined when there is none. */
  readonly first_month: Month | undefined;
  /** The open one. */
  readonly transfer_request: Profile['transfer_request'];
  /** The newest one, once it is decided. */
  readonly last_transfer: Profile['last_transfer'];
}

type Earned = Pick<MonthFigures, 'reward' | 'downloads'>;
const NOTHING: Earned = { reward: 0, downloads: 0 };

/** A member's earnings as of `nowMs` (epoch ms); four look-ups by key, whatever the history. */
export async function readFigures(
  db: Kysely<Schema>,
  userId: string,
  nowMs: number,
  month?: Month,
  pendingDays = PENDING_DAYS_DEFAULT,
): Promise<Figures> {
  // One after another: a transaction has one connection.
  const balance = await findBalance(db, userId);
  const pending = await selectDays(db, userId, toPendingSince(nowMs, pendingDays));
  const payable = toPayable(balance, pending);
  const earned = await selectMonths(db, userId);
  const [newest] = await selectMemberRequests(db, userId, { limit: 1 });
  const current = toMonth(nowMs);
  const asked = month === undefined ? undefined : (earned.get(month) ?? NOTHING);
  return {
    reward_balance: payable,
    pending_reward: balance - payable,
    pending_days: pendingDays,
    pending_release: findRelease(balance, pending, nowMs, pendingDays),
    total_download_balance: sum([...earned.values()].map(({ downloads }) => downloads)),
    month_reward_balance: asked?.reward ?? '-',
    month_total_download_balance: asked?.downloads ?? '-',
    months: listMonths(current, MONTHS_SHOWN).map((each) => ({
      month: each,
      ...(earned.get(each) ?? NOTHING),
    })),
    first_month: [...earned.keys()].sort()[0] as Month | undefined,
    // A second request is refused while one is open, so an open one is the newest.
    transfer_request:
      newest?.state === 'requested'
        ? { amount: newest.amount, requested_at: new Date(newest.created_at).toISOString() }
        : undefined,
    last_transfer: newest && newest.state !== 'requested' ? toTransfer(newest) : undefined,
  };
}

/**
 * What a payout takes now, out of a balance that was locked before: what was earned until last month
 * (spec §2) and has been there for `pendingDays`, counted in whole days of Japan.
 */
export async function readPayable(
  db: Kysely<Schema>,
  userId: string,
  balance: number,
  nowMs: number,
  pendingDays = PENDING_DAYS_DEFAULT,
): Promise<number> {
  return toPayable(balance, await selectDays(db, userId, toPendingSince(nowMs, pendingDays)));
}

/** The first day (`toDay`) whose rewards no payout takes yet. */
export function toPendingSince(nowMs: number, pendingDays = PENDING_DAYS_DEFAULT): number {
  const monthBegan = toDay(Date.parse(`${toMonth(nowMs)}-01T00:00:00+09:00`));
  return Math.min(monthBegan, toDay(nowMs - pendingDays * DAY_MS));
}

/** What was earned on a day (`toDay`) and after it: as many rows as there were days, two months' at most. */
function selectDays(db: Kysely<Schema>, userId: string, day: number): Promise<EarnedDay[]> {
  return db
    .selectFrom('artist_days')
    .select(['day', 'reward_yen'])
    .where('user_id', '=', userId)
    .where('day', '>=', day)
    .orderBy('day')
    .execute();
}

async function findBalance(db: Kysely<Schema>, userId: string): Promise<number> {
  const account = await db
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('id', '=', toArtistAccount(userId))
    .executeTakeFirst();
  return account?.balance ?? 0;
}

/** Twelve rows a year. */
async function selectMonths(db: Kysely<Schema>, userId: string): Promise<ReadonlyMap<string, Earned>> {
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
