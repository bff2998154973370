import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/open.ts';
import { Tally } from './check.ts';
import type { Check, Diagnosis, Finding } from './check.ts';

const COUNTED_MAX = 1_000;

/** What someone does about a row that another program has changed. */
export const SET_RIGHT =
  'Someone has changed the database by another program. Compare with a backup, and set the value right.';

/**
 * A query for the names of damaged rows, in its column `name`; at most 1,000 are counted. It begins with select, which
 * SQLite then reads without the connection for writing.
 */
export type Comparison = Diagnosis & { readonly query: RawBuilder<unknown> };

/** Runs each query and returns a finding for each that has rows. Each statement sees one moment. */
export async function compareRows(
  db: Database['db'],
  comparisons: readonly Comparison[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { query, ...diagnosis } of comparisons) {
    const tally = new Tally();
    const { rows } = await sql<{ name: string }>`${query} limit ${COUNTED_MAX}`.execute(db);
    for (const { name } of rows) tally.add(name);
    findings.push(...tally.diagnose(diagnosis));
  }
  return findings;
}

/** A part of a check: what comparisons find now, in epoch ms. */
export function checkRows(head: Omit<Check, 'run'>, list: (nowMs: number) => readonly Comparison[]): Check {
  return {
    ...head,
    run: async (site) => compareRows((await site.openDatabase()).db, list(site.clock.now())),
  };
}
