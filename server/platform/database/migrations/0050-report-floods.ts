import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** What keeps a flood of reports from others: who sent an unconfirmed one, and whether the artist was asked. */
export const reportFloods: Migration = {
  name: '0050-report-floods',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table reports add column source text not null default ''`,
  // `queued`, `held` or `asked`. The version before asks the artist when a report is confirmed.
  `alter table reports add column asking text not null default 'asked'`,
  `alter table reports add column asked_at bigint`,
  `create index reports_artist_state on reports (artist_id, state)`,
  `create index reports_asking on reports (asking, state, created_at, id) where asking <> 'asked'`,
];
