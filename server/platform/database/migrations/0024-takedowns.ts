import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Suspended members and hidden sounds. `is_published` keeps its meaning for every query: the sound is public. A sound
 * that its artist has published but that is hidden has `is_withheld` instead. A suspended member is also blocked. The
 * queue of artists to reindex now has other causes than a rename.
 */
export const takedowns: Migration = {
  name: '0024-takedowns',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table users add column was_blocked integer not null default 0 check (was_blocked in (0, 1))`,
  `alter table users add column suspension_reason text check (suspension_reason is null or is_blocked = 1)`,
  `alter table sounds add column hidden_reason text`,
  `alter table sounds add column is_withheld integer not null default 0
    check (is_withheld = 0 or (is_withheld = 1 and is_published = 0))`,
  `alter table unindexed_renames rename to unindexed_artists`,
  `alter table unindexed_artists rename column rename_id to change_id`,
];
