import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Reversed rewards. A reversal is an entry of its own that mirrors one reward; each reward has at most one. It counts
 * in the month and on the day of that reward, so that figures decrease where they increased, and a pending reward does
 * not become payable because its reversal is newer.
 */
export const reversals: Migration = {
  name: '0015-reversals',
  async up(db, dialect) {
    const triggers = dialect === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS;
    await (dialect === 'sqlite' ? widenOnSqlite(db) : widenOnPostgres(db));
    for (const statement of [...INDEXES, ...triggers]) await sql.raw(statement).execute(db);
  },
};

const ENTRY_CHECKS = [
  `check (amount > 0 or (kind in ('reward', 'reward-reversed') and amount = 0 and downloads > 0))`,
  `check (downloads = 0 or kind in ('reward', 'reward-reversed'))`,
  `check ((kind = 'reward-reversed') = (reverses is not null))`,
];

/** SQLite cannot change a check of a table: the table is replaced, with its indexes and triggers. */
async function widenOnSqlite(db: Kysely<unknown>): Promise<void> {
  await replaceTable(
    db,
    'ledger_entries',
    `(
      seq integer primary key autoincrement,
      id text not null unique,
      kind text not null,
      from_account text not null references ledger_accounts (id),
      to_account text not null references ledger_accounts (id),
      amount integer not null check (amount <= 1000000000000),
      downloads integer not null default 0 check (downloads between 0 and 1000000000000),
      month text not null check (month glob '[0-9][0-9][0-9][0-9]-[01][0-9]'),
      reference text not null,
      idempotency_key text not null unique,
      created_at integer not null,
      reverses text,
      check (from_account <> to_account),
      ${ENTRY_CHECKS.join(', ')}
    ) strict`,
  );
}

/** Columns that the old table lacked are empty. */
async function replaceTable(db: Kysely<unknown>, table: string, definition: string): Promise<void> {
  const columns = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
  const around = await sql<{ sql: string }>`
    select sql from sqlite_master
    where tbl_name = ${table} and type in ('index', 'trigger') and sql is not null`.execute(db);
  const names = columns.rows.map(({ name }) => name).join(', ');
  for (const statement of [
    `create table ${table}_next ${definition}`,
    `insert into ${table}_next (${names}) select ${names} from ${table} order by rowid`,
    `drop table ${table}`,
    `alter table ${table}_next rename to ${table}`,
    ...around.rows.map((each) => each.sql),
  ]) {
    await sql.raw(statement).execute(db);
  }
}

async function widenOnPostgres(db: Kysely<unknown>): Promise<void> {
  // PostgreSQL generates names for unnamed checks.
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = 'ledger_entries'::regclass and contype = 'c'
      and pg_get_constraintdef(oid) like '%kind%'`.execute(db);
  const changes = [
    ...rows.map(({ name }) => `drop constraint ${name}`),
    'add column reverses text',
    ...ENTRY_CHECKS.map((check) => `add ${check}`),
  ];
  await sql.raw(`alter table ledger_entries ${changes.join(', ')}`).execute(db);
}

const INDEXES = [
  `create unique index ledger_entries_reverses on ledger_entries (reverses) where reverses is not null`,
  // What a statement subtracts, read like earnings.
  `create index ledger_entries_reversed
    on ledger_entries (from_account, month, reference, downloads, amount) where kind = 'reward-reversed'`,
  `create index download_credits_artist on download_credits (artist_id, state, created_at)`,
];

/** Whether a new entry mirrors another one. A foreign key would check less and cause a lookup for each deleted row. */
const IS_MIRROR = `exists (
  select 1 from ledger_entries as earned
  where earned.id = new.reverses and earned.kind = 'reward'
    and earned.to_account = new.from_account and earned.from_account = new.to_account
    and earned.amount = new.amount and earned.downloads = new.downloads
    and earned.month = new.month and earned.reference = new.reference
)`;
const OWNER = `(select user_id from ledger_accounts where id = new.from_account)`;
/** `toDay` of contract/months.ts. */
const DAY = `(select (created_at + 32400000) / 86400000 from ledger_entries where id = new.reverses)`;
const TAKE_OFF = [
  `update artist_months set downloads = downloads - new.downloads, reward_yen = reward_yen - new.amount
    where user_id = ${OWNER} and month = new.month;`,
  `update artist_days set reward_yen = reward_yen - new.amount where user_id = ${OWNER} and day = ${DAY};`,
].join('\n');

const SQLITE_TRIGGERS = [
  `create trigger ledger_entries_mirror before insert on ledger_entries
    when new.kind = 'reward-reversed' and not ${IS_MIRROR} begin
    select raise(abort, 'a reversal mirrors one reward');
  end`,
  `create trigger ledger_entries_take_off after insert on ledger_entries when new.kind = 'reward-reversed' begin
    ${TAKE_OFF}
  end`,
];

/** The second is named so that it fires after the trigger that locks the account. */
const POSTGRES_TRIGGERS = [
  `create function check_ledger_reversal() returns trigger language plpgsql as $$
  begin
    if not ${IS_MIRROR} then
      raise exception 'a reversal mirrors one reward';
    end if;
    return new;
  end $$`,
  `create trigger ledger_entries_mirror before insert on ledger_entries
    for each row when (new.kind = 'reward-reversed') execute function check_ledger_reversal()`,
  `create function take_off_ledger_reversal() returns trigger language plpgsql as $$
  begin
    ${TAKE_OFF}
    return null;
  end $$`,
  `create trigger ledger_entries_take_off after insert on ledger_entries
    for each row when (new.kind = 'reward-reversed') execute function take_off_ledger_reversal()`,
];
