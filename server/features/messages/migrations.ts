import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';

const STATEMENTS = [
  `create table contact_messages (
    id text primary key,
    name text not null,
    email text not null,
    message text not null,
    user_id text references users (id) on delete set null,
    created_at bigint not null
  )`,
  `create index contact_messages_newest on contact_messages (created_at)`,
];

export const messageMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
};
