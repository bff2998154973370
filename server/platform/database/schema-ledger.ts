import type { Generated } from 'kysely';

/** The tables of yen: accounts, entries, what artists earned by month, and payouts. */
export interface LedgerSchema {
  ledger_accounts: LedgerAccountsTable;
  ledger_entries: LedgerEntriesTable;
  artist_months: ArtistMonthsTable;
  transfer_requests: TransferRequestsTable;
}

/** Between whose accounts yen move. */
interface LedgerAccountsTable {
  id: string;
  kind: 'artist' | 'rewards' | 'transfers-held' | 'paid-out';
  /** Of an artist's account. */
  user_id: string | null;
  /** Moved by a trigger with each entry, and by nothing else. */
  balance: Generated<number>;
}

/** Yen moved from one account to another; written once and never changed. */
export interface LedgerEntriesTable {
  seq: Generated<number>;
  id: string;
  kind: 'reward' | 'reward-reversed' | 'transfer-requested' | 'transfer-paid' | 'transfer-refused';
  from_account: string;
  to_account: string;
  /** 0 only where downloads were counted that earned nothing. */
  amount: number;
  /** Counted downloads that a reward, or its reversal, is for. */
  downloads: Generated<number>;
  /** `Month` (contract/months.ts) of `created_at`; of a reversal, that of what it takes back. */
  month: string;
  /** What it is about: a transfer request's id, or what the giver of a reward calls it. */
  reference: string;
  idempotency_key: string;
  created_at: number;
  /** The id of the reward that a reversal takes back: all of it, and once. */
  reverses: Generated<string | null>;
}

/** What an artist earned in a month, added up by the triggers that book rewards and take them back. */
interface ArtistMonthsTable {
  user_id: string;
  month: string;
  downloads: number;
  reward_yen: number;
}

export interface TransferRequestsTable {
  id: string;
  user_id: string;
  amount: number;
  email: string;
  state: 'requested' | 'paid' | 'refused';
  /** The member's name for the intent; null where the client gave none. */
  idempotency_key: string | null;
  created_at: number;
  decided_at: number | null;
  /** The staff account. */
  decided_by: string | null;
  /** Why it was refused, as the member reads it. */
  reason: Generated<string>;
}
