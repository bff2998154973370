import { sql } from 'kysely';
import type { FeatureMigrations, Migration } from '../../platform/database/migrations/migration.ts';

/** Sounds that were erased before are unknown. */
const erasures: Migration = {
  name: '0004-erasures',
  async up(db) {
    await sql`create table erasures (
      id text primary key,
      kind text not null check (kind in ('account', 'sound')),
      erased_at bigint not null
    )`.execute(db);
    await sql`create index erasures_by_time on erasures (erased_at)`.execute(db);
    await sql`insert into erasures (id, kind, erased_at)
      select id, 'account', deleted_at from users where deleted_at is not null`.execute(db);
  },
};

/** The folders of backups, for machines that do not have them. */
const backupPlaces: Migration = {
  name: '0014-backup-places',
  async up(db) {
    await sql`create table backup_places (
      host text not null,
      folder text not null,
      every_hours integer,
      state text not null default '{}',
      erasures_at bigint,
      erasures_fault text,
      seen_at bigint not null,
      primary key (host, folder)
    )`.execute(db);
    await sql`create index backup_places_seen_at on backup_places (seen_at)`.execute(db);
  },
};

export const backupMigrations: FeatureMigrations = {
  later: [erasures, backupPlaces],
};
