import type { Kysely } from 'kysely';
import { listMonths, toMonth } from '../../../contract/months.ts';
import type { Month } from '../../../contract/months.ts';
import type { MonthFigures, Profile } from '../../../contract/profile.ts';
import type { Schema } from '../../database/schema.ts';
import { toArtistAccount } from './ledger.ts';

const MONTHS_SHOWN = 12;

/** What a profile says of its owner's earnings, ready for the reply (spec §2, "Reward figures"). */
export interface Figures {
  /** Yen that a payout would be about: all that is there but what the current month earned. */
  readonly reward_balance: number;
  readonly total_download_balance: number;
  /** Of the month that was asked for; '-' when none was. */
  readonly month_reward_balance: number | '-';
  readonly month_total_download_balance: number | '-';
  /** The last twelve months, the current one first; those without earnings too. */
  readonly months: MonthFigures[];
  /** The open one. */
  readonly transfer_request: Profile['transfer_request'];
}

type Earned = Pick<MonthFigures, 'reward' | 'downloads'>;
const NOTHING: Earned = { reward: 0, downloads: 0 };

/** A member's earnings as of `nowMs` (epoch ms); three look-ups by key, whatever the history. */
export async function readFigures(
  db: Kysely<Schema>,
  userId: string,
  nowMs: number,
  month?: Month,
): Promise<Figures> {
  // One after another: a transaction has one connection.
  const balance = await findBalance(db, userId);
  const earned = await selectMonths(db, userId);
  const request = await findOpenRequest(db, userId);
  const current = toMonth(nowMs);
  const asked = month === undefined ? undefined : (earned.get(month) ?? NOTHING);
  return {
    reward_balance: toPayable(balance, earned, current),
    total_download_balance: sum([...earned.values()].map(({ downloads }) => downloads)),
    month_reward_balance: asked?.reward ?? '-',
    month_total_download_balance: asked?.downloads ?? '-',
    months: listMonths(current, MONTHS_SHOWN).map((each) => ({
      month: each,
      ...(earned.get(each) ?? NOTHING),
    })),
    transfer_request: request && {
      amount: request.amount,
      requested_at: new Date(request.created_at).toISOString(),
    },
  };
}

/** What a payout takes now, out of a balance that was locked before (spec §2: until last month). */
export async function readPayable(
  db: Kysely<Schema>,
  userId: string,
  balance: number,
  nowMs: number,
): Promise<number> {
  return toPayable(balance, await selectMonths(db, userId), toMonth(nowMs));
}

function toPayable(balance: number, earned: ReadonlyMap<string, Earned>, current: Month): number {
  const later = [...earned].filter(([month]) => month >= current).map(([, { reward }]) => reward);
  return Math.max(0, balance - sum(later));
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

function findOpenRequest(db: Kysely<Schema>, userId: string) {
  return db
    .selectFrom('transfer_requests')
    .select(['amount', 'created_at'])
    .where('user_id', '=', userId)
    .where('state', '=', 'requested')
    .executeTakeFirst();
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
