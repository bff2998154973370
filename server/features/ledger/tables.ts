import type { Generated, Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** The accounts that yen move between. */
interface LedgerAccountsTable {
  id: string;
  kind: 'artist' | 'rewards' | 'transfers-held' | 'paid-out';
  /** For an artist's account. */
  user_id: string | null;
  /** Changed only by a trigger on each entry. */
  balance: Generated<number>;
}

/** A transfer of yen between two accounts; append-only. */
export interface LedgerEntriesTable {
  seq: Generated<number>;
  id: string;
  kind:
    | 'reward'
    | 'reward-reversed'
    | 'transfer-requested'
    | 'transfer-paid'
    | 'transfer-refused'
    | 'balance-forfeited';
  from_account: string;
  to_account: string;
  /** 0 only for counted downloads that earned nothing. */
  amount: number;
  /** The number of counted downloads that a reward, or its reversal, is for. */
  downloads: Generated<number>;
  /** `Month` (contract/values/months.ts) of `created_at`; for a reversal, that of the reversed reward. */
  month: string;
  /** What it refers to: the id of a payout, or the reference of the service that books a reward. */
  reference: string;
  idempotency_key: string;
  created_at: number;
  /** The id of the reward that a reversal cancels, in full and at most once. */
  reverses: Generated<string | null>;
}

/** An artist's earnings in one month, maintained by the triggers that book and reverse rewards. */
interface ArtistMonthsTable {
  user_id: string;
  month: string;
  downloads: number;
  reward_yen: number;
}

/** An artist's earnings on one day (`toDay`), maintained by the triggers that book and reverse rewards. */
interface ArtistDaysTable {
  user_id: string;
  day: number;
  reward_yen: number;
}

export interface PayoutRequestsTable {
  id: string;
  user_id: string;
  amount: number;
  email: string;
  state: 'requested' | 'paid' | 'refused';
  /** The client's idempotency key; null if it sent none. */
  idempotency_key: string | null;
  created_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
  /** Why it was refused, as shown to the member. */
  reason: Generated<string>;
}

interface LedgerTables {
  ledger_accounts: LedgerAccountsTable;
  ledger_entries: LedgerEntriesTable;
  artist_months: ArtistMonthsTable;
  artist_days: ArtistDaysTable;
  transfer_requests: PayoutRequestsTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends LedgerTables {}
}

type Others = ReadOnly<Pick<Schema, 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<LedgerTables & Others>;
