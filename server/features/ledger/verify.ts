import { sql } from 'kysely';
import { toMonth } from '../../../contract/values/months.ts';
import { dayOf } from '../../platform/database/statements/days.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';

/**
 * Inconsistencies in the ledger, one line each for the operator; empty when there are none. Reads every entry, so it is
 * for maintenance, not for requests. Run it in a transaction while others write.
 */
export async function verifyLedger(db: Handle): Promise<string[]> {
  const problems: string[] = [];
  for (const check of CHECKS) {
    const { rows } = await check.execute(db);
    problems.push(...rows.map(({ problem }) => problem));
  }
  return [...problems, ...(await findWrongMonths(db))];
}

/** Months of entries that are not those of their times; a reversal has the month of its reward. */
async function findWrongMonths(db: Db): Promise<string[]> {
  const { rows } = await sql<{ month: string; first: number; last: number }>`
    select month, min(created_at) as first, max(created_at) as last
    from ledger_entries where kind <> 'reward-reversed' group by month order by month`.execute(db);
  return rows
    .filter(({ month, first, last }) => toMonth(first) !== month || toMonth(last) !== month)
    .map(({ month }) => `month ${month}: entries of another month`);
}

/** The amounts of rewards and reversals with the time of earning. A reversal has the time of its reward. */
const EARNED = sql`
  select to_account as account, month, downloads, amount as yen, created_at as earned_at
  from ledger_entries where kind = 'reward'
  union all
  select taken.from_account, taken.month, -taken.downloads, -taken.amount, rewards.created_at
  from ledger_entries as taken left join ledger_entries as rewards on rewards.id = taken.reverses
  where taken.kind = 'reward-reversed'`;

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
      or kind = 'reward-reversed' and from_account like 'artist:%' and to_account = 'rewards'
      or kind = 'balance-forfeited' and from_account like 'artist:%' and to_account = 'rewards'
      or kind = 'transfer-requested' and from_account like 'artist:%' and to_account = 'transfers-held'
      or kind = 'transfer-paid' and from_account = 'transfers-held' and to_account = 'paid-out'
      or kind = 'transfer-refused' and from_account = 'transfers-held' and to_account like 'artist:%'
    )`,
  sql<{ problem: string }>`
    select 'month ' || coalesce(recorded.month, earned.month) || ' of ' || coalesce(recorded.user_id, earned.user_id) as problem
    from artist_months as recorded
    full join (
      select accounts.user_id, entries.month, sum(entries.downloads) as downloads, sum(entries.yen) as yen
      from (${EARNED}) as entries
      join ledger_accounts as accounts on accounts.id = entries.account
      group by accounts.user_id, entries.month
    ) as earned on earned.user_id = recorded.user_id and earned.month = recorded.month
    where recorded.downloads is null or earned.downloads is null
      or recorded.downloads <> earned.downloads or recorded.reward_yen <> earned.yen`,
  sql<{ problem: string }>`
    select 'day ' || coalesce(recorded.day, earned.day) || ' of ' || coalesce(recorded.user_id, earned.user_id) as problem
    from artist_days as recorded
    full join (
      select accounts.user_id, ${dayOf('entries.earned_at')} as day, sum(entries.yen) as yen
      from (${EARNED}) as entries
      join ledger_accounts as accounts on accounts.id = entries.account
      group by accounts.user_id, ${dayOf('entries.earned_at')}
    ) as earned on earned.user_id = recorded.user_id and earned.day = recorded.day
    where recorded.reward_yen is null or earned.yen is null or recorded.reward_yen <> earned.yen`,
  // A reversal mirrors exactly one reward, and a reward has at most one reversal.
  sql<{ problem: string }>`
    select 'reversal ' || taken.id as problem
    from ledger_entries as taken
    left join ledger_entries as rewards on rewards.id = taken.reverses and rewards.kind = 'reward'
    where taken.kind = 'reward-reversed' and (
      rewards.id is null or rewards.to_account <> taken.from_account or rewards.month <> taken.month
      or rewards.amount <> taken.amount or rewards.downloads <> taken.downloads
      or rewards.reference <> taken.reference
    )
    union all
    select 'entry ' || reverses || ': taken back ' || count(*) || ' times'
    from ledger_entries where reverses is not null group by reverses having count(*) > 1`,
  // Each credited download has one reward, which is reversed if the download is; no other download has any.
  sql<{ problem: string }>`
    select 'download ' || credits.id as problem
    from download_credits as credits
    left join ledger_entries as rewards
      on rewards.idempotency_key = 'reward:download:' || credits.intent_id and rewards.kind = 'reward'
    left join ledger_entries as taken on taken.reverses = rewards.id
    where credits.state in ('credited', 'reversed') and (
      rewards.id is null or rewards.amount <> credits.yen or rewards.downloads <> 1
      or rewards.to_account <> 'artist:' || credits.artist_id
      or rewards.reference <> 'sound:' || credits.sound_id
      or (taken.id is null) <> (credits.state = 'credited')
    )`,
  sql<{ problem: string }>`
    select 'download of entry ' || rewards.id as problem
    from ledger_entries as rewards
    left join download_credits as credits
      on credits.intent_id = substr(rewards.idempotency_key, 17) and credits.state in ('credited', 'reversed')
    where rewards.kind = 'reward' and rewards.idempotency_key like 'reward:download:%' and credits.id is null`,
  sql<{ problem: string }>`
    select 'entry ' || entries.id || ': forfeited by ' || users.id || ', whose account is not deleted' as problem
    from ledger_entries as entries
    join ledger_accounts as accounts on accounts.id = entries.from_account
    join users on users.id = accounts.user_id
    where entries.kind = 'balance-forfeited' and users.deleted_at is null`,
  // Each request has one entry, and a second one once it is decided; no other entries belong to requests.
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
      where kind not in ('reward', 'reward-reversed', 'balance-forfeited')
      group by reference
    ) as booked on booked.reference = requests.id
    where requests.id is null or booked.reference is null
      or booked.requested <> 1
      or booked.paid <> case when requests.state = 'paid' then 1 else 0 end
      or booked.refused <> case when requests.state = 'refused' then 1 else 0 end
      or booked.least <> requests.amount or booked.most <> requests.amount
      or booked.artist <> 'artist:' || requests.user_id`,
];
