import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';

const STATEMENTS = [
  // A certificate refers to no sound and to no artist: it outlives both.
  `create table certificates (
    id text primary key,
    user_id text references users (id) on delete set null,
    issued_at bigint not null,
    body text not null,
    key_id text not null,
    signature text not null
  )`,
  `create index certificates_member on certificates (user_id, issued_at, id) where user_id is not null`,
  `create table certificate_keys (id text primary key, public_key text not null, created_at bigint not null)`,
  `create table licences (
    hash text primary key,
    title text not null,
    body text not null,
    created_at bigint not null
  )`,
];

export const certificateMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
};
