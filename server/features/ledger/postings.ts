import type { Insertable } from 'kysely';
import { toMonth } from '../../../contract/values/months.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { LedgerEntriesTable, Db } from './tables.ts';

/** Accounts of the site, created with the tables. */
export const REWARDS = 'rewards';
export const PAYOUTS_HELD = 'transfers-held';
export const PAID_OUT = 'paid-out';

/** Maximum yen or downloads of one entry; the tables reject more. */
const AMOUNT_MAX = 1_000_000_000_000;

/** The id of an artist's account. Sorts before those of the site, which the lock order relies on. */
export function toArtistAccount(userId: string): string {
  return `artist:${userId}`;
}

/** Earnings of an artist. */
export interface Reward {
  readonly artistId: string;
  /** Counted downloads; one entry may cover several. */
  readonly downloads: number;
  /** For all of them together; 0 only counts them. */
  readonly yen: number;
  /** Epoch ms; determines the month of the earnings. */
  readonly atMs: number;
  /** What it is for, for readers of the ledger. */
  readonly reference: string;
  /** Unique among all rewards: a second one with the same key has no effect. */
  readonly idempotencyKey: string;
}

/**
 * Posts an artist's earnings and counts them for the month. Returns false and changes nothing when the key is already
 * used. Throws `RangeError` for values that are not whole numbers of yen or downloads.
 *
 * Rewards of several artists in one transaction can deadlock with another such transaction. Use one transaction per
 * artist, or run without concurrent writers.
 */
export async function recordReward(db: Db, reward: Reward): Promise<boolean> {
  const { artistId, downloads, yen, atMs } = reward;
  requireInteger('yen', yen, 0);
  requireInteger('downloads', downloads, yen === 0 ? 1 : 0);
  const account = { id: toArtistAccount(artistId), kind: 'artist' as const, user_id: artistId };
  await db
    .insertInto('ledger_accounts')
    .values(account)
    // For either key, because concurrent calls can conflict on any of them.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return insertEntry(db, {
    kind: 'reward',
    from_account: REWARDS,
    to_account: account.id,
    amount: yen,
    downloads,
    reference: reward.reference,
    idempotency_key: toRewardKey(reward.idempotencyKey),
    created_at: atMs,
  });
}

/**
 * Moves yen from one account to another, in the month of `created_at` unless another is given; false when the key is
 * already used. Throws when it would overdraw an account.
 */
export async function insertEntry(
  db: Db,
  entry: Omit<Insertable<LedgerEntriesTable>, 'id' | 'month'> & { readonly month?: string },
): Promise<boolean> {
  return exists(
    db
      .insertInto('ledger_entries')
      .values({ month: toMonth(entry.created_at), ...entry, id: randomId() })
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .returning('seq'),
  );
}

/** An artist's balance, locked until the transaction ends; 0 if nothing was ever earned. */
export async function lockBalance(db: Db, userId: string): Promise<number> {
  const account = await db
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('id', '=', toArtistAccount(userId))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account?.balance ?? 0;
}

/** The key of a reward's entry. */
export function toRewardKey(idempotencyKey: string): string {
  return `reward:${idempotencyKey}`;
}

function requireInteger(what: string, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min || value > AMOUNT_MAX) {
    throw new RangeError(`${what} must be a whole number from ${min} to ${AMOUNT_MAX}, not ${value}`);
  }
}

/** Returns a forfeited balance to the rewards of the site; does nothing for a balance of 0. */
export async function forfeitBalance(db: Db, userId: string, nowMs: number): Promise<void> {
  const amount = await lockBalance(db, userId);
  if (amount === 0) return;
  await insertEntry(db, {
    kind: 'balance-forfeited',
    from_account: toArtistAccount(userId),
    to_account: REWARDS,
    amount,
    reference: 'account deletion',
    idempotency_key: `balance-forfeited:${userId}`,
    created_at: nowMs,
  });
}
