import { toDay } from '../../../contract/values/months.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import { readPayable, toPendingSince } from './figures.ts';
import { insertEntry, lockBalance, toRewardKey } from './postings.ts';
import type { Db } from './tables.ts';

/** A reward to reverse, and when. */
export interface Reversal {
  /** Of the reward, as passed to `recordReward`. */
  readonly idempotencyKey: string;
  /** Epoch ms; also the moment for which pending earnings are determined. */
  readonly atMs: number;
  /** `REWARD_PENDING_DAYS`. */
  readonly pendingDays?: number | undefined;
}

/**
 * Reverses a whole reward by a separate entry, dated now but counted in the reward's month and day: figures and
 * statements of that month decrease, and the payable amount never increases.
 *
 * Returns 'unaffordable' and changes nothing when the yen are paid out or held for a payout. Yen are interchangeable,
 * so any remaining earnings that are no longer pending can cover the reversal. Pending earnings cannot, because they
 * may have to be reversed themselves. Returns 'again' when the reward was already reversed, 'unknown' when there is
 * none.
 */
export async function reverseReward(
  transaction: Db,
  { idempotencyKey, atMs, pendingDays }: Reversal,
): Promise<'reversed' | 'again' | 'unaffordable' | 'unknown'> {
  const reward = await findReward(transaction, toRewardKey(idempotencyKey));
  if (reward === undefined) return 'unknown';
  const { user_id: userId, amount } = reward;
  const balance = await lockBalance(transaction, userId);
  // Under the lock that other reversals and payouts wait for.
  if (await isReversed(transaction, reward.id)) return 'again';
  const isPending = toDay(reward.created_at) >= toPendingSince(atMs, pendingDays);
  const left = isPending ? balance : await readPayable(transaction, userId, balance, atMs, pendingDays);
  if (left < amount) return 'unaffordable';
  await insertEntry(transaction, {
    kind: 'reward-reversed',
    from_account: reward.to_account,
    to_account: reward.from_account,
    amount,
    downloads: reward.downloads,
    month: reward.month,
    reference: reward.reference,
    idempotency_key: `reward-reversed:${reward.id}`,
    created_at: atMs,
    reverses: reward.id,
  });
  return 'reversed';
}

async function findReward(db: Db, key: string) {
  const reward = await db
    .selectFrom('ledger_entries as entries')
    .innerJoin('ledger_accounts as accounts', 'accounts.id', 'entries.to_account')
    .select([
      'entries.id',
      'entries.from_account',
      'entries.to_account',
      'entries.amount',
      'entries.downloads',
    ])
    .select(['entries.month', 'entries.reference', 'entries.created_at', 'accounts.user_id'])
    .where('entries.idempotency_key', '=', key)
    .executeTakeFirst();
  return reward?.user_id ? { ...reward, user_id: reward.user_id } : undefined;
}

async function isReversed(db: Db, entryId: string): Promise<boolean> {
  return exists(db.selectFrom('ledger_entries').select('id').where('reverses', '=', entryId));
}
