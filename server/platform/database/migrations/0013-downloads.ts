import { sql } from 'kysely';
import type { DialectName, Migration } from '../migration.ts';

/** Downloads from their start to the artist's reward, and daily earnings until they are confirmed. */
export const downloads: Migration = {
  name: '0013-downloads',
  async up(db, dialect) {
    const triggers = dialect === 'sqlite' ? SQLITE_TRIGGER : POSTGRES_TRIGGER;
    for (const statement of [...TABLES, toArtistDays(dialect), FILL_ARTIST_DAYS, ...triggers]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const TABLES = [
  `create table download_intents (
    id text primary key,
    sound_id text not null,
    visitor text not null,
    user_id text references users (id) on delete set null,
    is_repeat integer not null check (is_repeat in (0, 1)),
    notice text not null default '',
    needed_ms integer,
    watched_ms integer not null default 0 check (watched_ms >= 0),
    watching_since bigint,
    is_granted integer not null default 0 check (is_granted in (0, 1)),
    created_at bigint not null,
    completed_at bigint
  )`,
  `create index download_intents_visitor on download_intents (visitor, sound_id)`,
  `create index download_intents_member on download_intents (user_id, sound_id)`,
  `create index download_intents_age on download_intents (created_at)`,
  // No reference to sounds: earnings outlive them.
  `create table download_credits (
    id text primary key,
    intent_id text not null unique,
    sound_id text not null,
    artist_id text not null references users (id),
    visitor text,
    user_id text references users (id) on delete set null,
    network text,
    state text not null check (state in ('credited', 'held', 'rejected', 'refused', 'reversed')),
    reason text not null,
    is_counted integer not null check (is_counted in (0, 1)),
    yen bigint not null check (yen >= 0),
    created_at bigint not null,
    decided_at bigint,
    decided_by text references users (id)
  )`,
  `create index download_credits_visitor on download_credits (visitor, sound_id)`,
  `create index download_credits_member on download_credits (user_id, sound_id)`,
  `create index download_credits_state on download_credits (state, created_at)`,
  `create index download_credits_traced on download_credits (created_at) where visitor is not null`,
  `create table download_counts (
    subject text not null,
    day integer not null,
    downloads integer not null,
    counted integer not null,
    credits integer not null,
    primary key (subject, day)
  )`,
  `create index download_counts_day on download_counts (day)`,
  `create table member_traces (
    subject text not null,
    user_id text not null references users (id) on delete cascade,
    seen_at bigint not null,
    primary key (subject, user_id)
  )`,
  `create index member_traces_age on member_traces (seen_at)`,
  `create table address_keys (day integer primary key, secret text not null)`,
];

function toArtistDays(dialect: DialectName): string {
  const [whole, strict] = dialect === 'sqlite' ? ['integer', ' strict'] : ['bigint', ''];
  return `create table artist_days (
    user_id text not null references users (id),
    day ${whole} not null,
    reward_yen ${whole} not null check (reward_yen >= 0),
    primary key (user_id, day)
  )${strict}`;
}

/** `toDay` of contract/months.ts. */
const DAY = (createdAt: string) => `(${createdAt} + 32400000) / 86400000`;

const FILL_ARTIST_DAYS = `insert into artist_days (user_id, day, reward_yen)
  select accounts.user_id, ${DAY('entries.created_at')}, sum(entries.amount)
  from ledger_entries as entries join ledger_accounts as accounts on accounts.id = entries.to_account
  where entries.kind = 'reward'
  group by accounts.user_id, ${DAY('entries.created_at')}`;

/** In addition to the trigger of migration 0005, which updates the months. */
const SQLITE_TRIGGER = [
  `create trigger ledger_entries_day after insert on ledger_entries when new.kind = 'reward' begin
    insert into artist_days (user_id, day, reward_yen)
      select user_id, ${DAY('new.created_at')}, new.amount from ledger_accounts where id = new.to_account
      on conflict (user_id, day) do update set reward_yen = reward_yen + excluded.reward_yen;
  end`,
];

/** Named so that it fires after the other trigger, which locks the account first. */
const POSTGRES_TRIGGER = [
  `create function book_ledger_day() returns trigger language plpgsql as $$
  begin
    insert into artist_days as days (user_id, day, reward_yen)
      select user_id, ${DAY('new.created_at')}, new.amount from ledger_accounts where id = new.to_account
      on conflict (user_id, day) do update set reward_yen = days.reward_yen + excluded.reward_yen;
    return null;
  end $$`,
  `create trigger ledger_entries_day after insert on ledger_entries
    for each row when (new.kind = 'reward') execute function book_ledger_day()`,
];
