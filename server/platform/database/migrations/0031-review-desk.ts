import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * For the review desk: what the decoder measured in the files of an application, which applications the staff has put
 * aside, and an index that finds the same file of another applicant.
 */
export const reviewDesk: Migration = {
  name: '0031-review-desk',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table quality_check_files add column analysis text`,
  `alter table quality_checks add column parked_at bigint`,
  `create index quality_check_files_hash on quality_check_files (sha256)`,
];
