import { expect } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { toArtistAccount } from '#server/features/ledger/postings.ts';
import { listRows } from '#support/databases/databases.ts';

/** What an artist of `payout-loop.ts` was told. */
export interface HeardSteps {
  readonly id: string;
  /** The latest acknowledged step of each kind. */
  readonly heard: { reward: number; request: number; decision: number };
}

/** Every acknowledged row exists, and at most one interrupted row of each kind besides. */
export async function expectAllHeard({ db }: Database, { id, heard }: HeardSteps): Promise<void> {
  const rewards = await listRows(
    { db },
    'ledger_entries',
    { to_account: toArtistAccount(id), kind: 'reward' },
    ['seq'],
  );
  const requests = await listRows({ db }, 'transfer_requests', { user_id: id }, ['state']);
  const decided = requests.filter(({ state }) => state !== 'requested');
  for (const [count, step] of [
    [rewards.length, heard.reward],
    [requests.length, heard.request],
    [decided.length, heard.decision],
  ] as const) {
    expect([step + 1, step + 2]).toContain(count);
  }
}
