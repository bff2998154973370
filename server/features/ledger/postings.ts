import type { Insertable, Kysely } from 'kysely';
import { toMonth } from '../../../contract/months.ts';
import { randomId } from '../../platform/database/database.ts';
import type { LedgerEntriesTable, Schema } from '../../platform/database/database.ts';

type Db = Kysely<Schema>;

/** Accounts of the site, made with the tables. */
export const REWARDS = 'rewards';
export const TRANSFERS_HELD = 'transfers-held';
export const PAID_OUT = 'paid-out';

/** Yen or downloads of one entry; the tables refuse more. */
const AMOUNT_MAX = 1_000_000_000_000;

/** The id of an artist's account. Sorts before those of the site, which the order of locks is built on. */
export function toArtistAccount(userId: string): string {
  return `artist:${userId}`;
}

/** What an artist earned. */
export interface Reward {
  readonly artistId: string;
  /** Counted downloads; one entry may stand for several. */
  readonly downloads: number;
  /** For all of them together; 0 only counts them. */
  readonly yen: number;
  /** Epoch ms; says in which month it was earned. */
  readonly atMs: number;
  /** What it is for, for whoever reads the books. */
  readonly reference: string;
  /** Among all rewards: the second one with the same key has no effect. */
  readonly idempotencyKey: string;
}

/**
 * Books what an artist earned and counts it for the month; false, and nothing has happened, when the
 * key is known already. Throws `RangeError` for what is no whole number of yen or downloads.
 *
 * Rewards of several artists in one transaction wait for each other in a circle when another such
 * transaction runs beside them: one transaction an artist, or nobody else about.
 */
export async function recordReward(db: Db, reward: Reward): Promise<boolean> {
  const { artistId, downloads, yen, atMs } = reward;
  requireWhole('yen', yen, 0);
  requireWhole('downloads', downloads, yen === 0 ? 1 : 0);
  const account = { id: toArtistAccount(artistId), kind: 'artist' as const, user_id: artistId };
  await db
    .insertInto('ledger_accounts')
    .values(account)
    // Of either key, for the one that two notice first is any of them.
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
 * Moves yen from one account to another, in the month of `created_at` unless another is named; false when the
 * key is known already. Throws when it would overdraw one.
 */
export async function insertEntry(
  db: Db,
  entry: Omit<Insertable<LedgerEntriesTable>, 'id' | 'month'> & { readonly month?: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('ledger_entries')
    .values({ month: toMonth(entry.created_at), ...entry, id: randomId() })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning('seq')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** An artist's balance, which nobody else moves until the transaction ends; 0 where nothing was ever earned. */
export async function lockBalance(db: Db, userId: string): Promise<number> {
  const account = await db
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('id', '=', toArtistAccount(userId))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account?.balance ?? 0;
}

/** What a reward's entry is found by. */
export function toRewardKey(idempotencyKey: string): string {
  return `reward:${idempotencyKey}`;
}

function requireWhole(what: string, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min || value > AMOUNT_MAX) {
    throw new RangeError(`${what} must be a whole number from ${min} to ${AMOUNT_MAX}, not ${value}`);
  }
}
