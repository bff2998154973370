import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';

const STATEMENTS = [
  `create table member_traces (
    subject text not null,
    user_id text not null references users (id) on delete cascade,
    seen_at bigint not null,
    primary key (subject, user_id)
  )`,
  `create index member_traces_age on member_traces (seen_at)`,
  `create table address_keys (day integer primary key, secret text not null)`,
];

export const visitorMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
};
