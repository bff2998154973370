import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Certificates of downloads, with the terms of use and the public keys that they name. A certificate refers to no sound
 * and to no artist: it outlives both. The intent names its certificate for a day, so that a repeated call gets the same.
 */
export const certificates: Migration = {
  name: '0040-certificates',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
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
  `alter table download_intents add column certificate_id text`,
];
