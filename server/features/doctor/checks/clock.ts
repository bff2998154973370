import { sql } from 'kysely';
import type { Database } from '../../../platform/database/open.ts';
import { Tally, countOf, diagnose } from '../check.ts';
import type { Check, Finding } from '../check.ts';

/** Processes on several machines differ by less. */
const TOLERANCE_MS = 5 * 60_000;
/** The newest rows have the latest times, unless the clock was wrong when they were written. */
const NEWEST = 1_000;

export const clockCheck: Check = {
  name: 'clock',
  priority: 'warning',
  stage: 'quick',
  consoleText: '時計がずれています',
  async run(site) {
    const nowMs = site.clock.now();
    const database = await site.openDatabase();
    return [...(await findFutureRows(database, nowMs)), ...(await compareWithPostgres(database, nowMs))];
  },
};

async function findFutureRows({ db }: Database, nowMs: number): Promise<Finding[]> {
  const tally = new Tally();
  const latestMs = nowMs + TOLERANCE_MS;
  const newest = [
    sql<{
      at: number;
    }>`select max(at) as at from (select created_at as at from sounds order by seq desc limit ${NEWEST}) newest`,
    sql<{
      at: number;
    }>`select max(at) as at from (select created_at as at from ledger_entries order by seq desc limit ${NEWEST}) newest`,
    sql<{ at: number }>`select max(at) as at from operator_actions`,
    sql<{ at: number }>`select max(submitted_at) as at from quality_checks where state = 'pending'`,
    sql<{ at: number }>`select max(applied_at) as at from migrations`,
  ];
  const names = ['sounds', 'ledger entries', 'staff actions', 'quality checks', 'migrations'];
  for (const [index, query] of newest.entries()) {
    const at = (await query.execute(db)).rows[0]?.at ?? 0;
    if (at > latestMs) tally.add(`${names[index]}: ${new Date(at).toISOString()}`);
  }
  return tally.diagnose({
    kind: 'future-rows',
    found: (count) => `The newest rows of ${countOf(count, 'table')} have times in the future.`,
    meaning:
      'The clock is behind, was set back, or was ahead when they were written. Sessions, limits per day and payout dates follow it.',
    remedy: `Set the clock by NTP. This machine reads ${new Date(nowMs).toISOString()}. Rows of a clock that was ahead correct themselves with time.`,
  });
}

/** SQLite has no clock of its own. */
async function compareWithPostgres({ db, dialect }: Database, nowMs: number): Promise<Finding[]> {
  if (dialect === 'sqlite') return [];
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(db);
  const aheadMs = (rows[0]?.at ?? nowMs) - nowMs;
  if (Math.abs(aheadMs) <= TOLERANCE_MS) return [];
  return [
    diagnose({
      kind: 'clocks-differ',
      found: `The clock of the database server differs by ${Math.round(Math.abs(aheadMs) / 1_000)} s from this machine's.`,
      meaning: 'One of them is wrong; times in the site come from the server processes.',
      remedy: 'Set both clocks by NTP.',
    }),
  ];
}
