import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';

/**
 * What does not agree in the books, each in one line for the operator; nothing when all does. Reads
 * every entry: for a doctor's visit, not for a request. Give it a transaction while others write.
 */
export async function verifyLedger(db: Kysely<Schema>): Promise<string[]> {
  const problems: string[] = [];
  for (const check of CHECKS) {
    const { rows } = await check.execute(db);
    problems.push(...rows.map(({ problem }) => problem));
  }
  return problems;
}

const CHECKS = [
  sql<{ problem: string }>`
    select 'account ' || accounts.id || ': balance ' || accounts.balance || ', entries ' || coalesce(sum(postings.yen), 0)
      as problem
    from ledger_accounts as accounts
    left join (
      select to_account as id, amount as yen from ledger_entries
      union all
      select from_account, -amount from ledger_entries
    ) as postings on postings.id = accounts.id
    group by accounts.id, accounts.balance
    having accounts.balance <> coalesce(sum(postings.yen), 0)`,
  sql<{ problem: string }>`
    select 'all accounts together: ' || sum(balance) as problem from ledger_accounts having sum(balance) <> 0`,
  sql<{ problem: string }>`
    select 'account ' || id || ': overdrawn by ' || -balance as problem
    from ledger_accounts where kind <> 'rewards' and balance < 0`,
  sql<{ problem: string }>`
    select 'entry ' || id || ': no ' || kind || ' goes from ' || from_account || ' to ' || to_account as problem
    from ledger_entries
    where not (
      kind = 'reward' and from_account = 'rewards' and to_account like 'artist:%'
      or kind = 'transfer-requested' and from_account like 'artist:%' and to_account = 'transfers-held'
      or kind = 'transfer-paid' and from_account = 'transfers-held' and to_account = 'paid-out'
      or kind = 'transfer-refused' and from_account = 'transfers-held' and to_account like 'artist:%'
    )`,
  sql<{ problem: string }>`
    select 'month ' || coalesce(kept.month, earned.month) || ' of ' || coalesce(kept.user_id, earned.user_id) as problem
    from artist_months as kept
    full join (
      select accounts.user_id, entries.month, sum(entries.downloads) as downloads, sum(entries.amount) as yen
      from ledger_entries as entries
      join ledger_accounts as accounts on accounts.id = entries.to_account
      where entries.kind = 'reward'
      group by accounts.user_id, entries.month
    ) as earned on earned.user_id = kept.user_id and earned.month = kept.month
    where kept.downloads is null or earned.downloads is null
      or kept.downloads <> earned.downloads or kept.reward_yen <> earned.yen`,
  // Each request is booked once, and once more when it is decided; nothing else is booked as one.
  sql<{ problem: string }>`
    select 'transfer request ' || coalesce(requests.id, booked.reference) as problem
    from transfer_requests as requests
    full join (
      select reference,
        sum(case when kind = 'transfer-requested' then 1 else 0 end) as requested,
        sum(case when kind = 'transfer-paid' then 1 else 0 end) as paid,
        sum(case when kind = 'transfer-refused' then 1 else 0 end) as refused,
        min(amount) as least,
        max(amount) as most,
        min(case when kind = 'transfer-requested' then from_account else to_account end) as artist
      from ledger_entries
      where kind <> 'reward'
      group by reference
    ) as booked on booked.reference = requests.id
    where requests.id is null or booked.reference is null
      or booked.requested <> 1
      or booked.paid <> case when requests.state = 'paid' then 1 else 0 end
      or booked.refused <> case when requests.state = 'refused' then 1 else 0 end
      or booked.least <> requests.amount or booked.most <> requests.amount
      or booked.artist <> 'artist:' || requests.user_id`,
];
