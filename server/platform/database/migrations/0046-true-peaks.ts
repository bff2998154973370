import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The true peak of each sound. Those that were measured without it are measured again in the background. */
export const truePeaks: Migration = {
  name: '0046-true-peaks',
  async up(db) {
    await sql`alter table sound_findings add column true_peak_dbtp double precision`.execute(db);
    await sql`insert into unmeasured_sounds (sound_seq)
      select sound_seq from sound_findings where true on conflict do nothing`.execute(db);
  },
};
