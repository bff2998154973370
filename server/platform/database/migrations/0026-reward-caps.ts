import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

const DAY_MS = 86_400_000;
/** The period from which an artist's usual day is computed. */
const USUAL_DAYS = 90;

/**
 * Records which of an artist's credits the staff approved, and the counts for the days of the median. Previously only
 * fourteen days were kept, so established artists would have had no usual day.
 */
export const rewardCaps: Migration = {
  name: '0026-reward-caps',
  async up(db) {
    await sql`alter table download_counts add column approved integer not null default 0`.execute(db);
    // `toDay` of contract/months.ts.
    const day = sql.raw('(created_at + 32400000) / 86400000');
    await sql`insert into download_counts (subject, day, downloads, counted, credits, approved)
      select 'artist:' || artist_id, ${day}, 0, 0, count(*), count(decided_at) from download_credits
      where state = 'credited' and created_at >= ${Date.now() - USUAL_DAYS * DAY_MS}
      group by artist_id, ${day}
      on conflict (subject, day) do update set approved = excluded.approved`.execute(db);
  },
};
