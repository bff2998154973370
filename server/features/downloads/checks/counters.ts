import { sql } from 'kysely';
import { toDay } from '../../../../contract/values/months.ts';
import { DAY_MS, JAPAN_MS } from '../../../../contract/values/time-units.ts';
import { inWindows } from '../../../platform/database/statements/windows.ts';
import type { Database } from '../../../platform/database/open.ts';
import { Tally, countOf } from '../../doctor/check.ts';
import type { Check, Tools } from '../../doctor/check.ts';
import { findWrongCounts, repairCounts } from './sound-counts.ts';

/** The counts that rows store beside the rows that they count. Those of the ledger have a check of their own. */
export const counters: Check = {
  name: 'counters',
  priority: 'critical',
  stage: 'rows',
  consoleText: null,
  async run(site) {
    const { db } = await site.openDatabase();
    const [wrong, doubtful, days] = [new Tally(), new Tally(), new Tally()];
    for await (const { found, right } of findWrongCounts(db)) (right ? wrong : doubtful).add(found);
    for await (const found of findWrongDays(db, site.clock.now())) days.add(found);
    return [
      ...wrong.diagnose({
        kind: 'wrong',
        found: (count) => `A count of ${countOf(count, 'sound')} is not that of its rows.`,
        meaning: 'Pages show a wrong number. Its rows are complete, and the popularity agrees with them.',
        remedy: 'Set it to the number of its rows (--fix does it).',
        fix: repair,
      }),
      ...doubtful.diagnose({
        kind: 'doubtful',
        found: (count) => `The counts of ${countOf(count, 'sound')} contradict their rows, or each other.`,
        meaning:
          'Rows of favourites or downloads were lost, or a number was changed. What the right number is cannot be known from what is left.',
        remedy: 'Compare with a backup. --fix leaves these numbers as they are.',
      }),
      ...days.diagnose({
        kind: 'artist-days',
        found: (count) =>
          `${countOf(count, 'day')} of artists has another number of credits than downloads credited.`,
        meaning: 'The caps on rewards follow a wrong usual day of these artists until it is 90 days old.',
        remedy:
          'Compare with a backup; "npm run operator -- ledger verify" tells whether rewards are complete.',
      }),
    ];
  },
};

async function repair({ database }: Tools): Promise<string> {
  let repaired = 0;
  for await (const { id, right } of findWrongCounts(database.db)) {
    if (right !== undefined && (await repairCounts(database, id))) repaired += 1;
  }
  return `set the counts of ${countOf(repaired, 'sound')}`;
}

const WINDOW_ROWS = 200;
/** For less than the ninety that are kept. */
const DAYS = 89;
const SUBJECT = 'artist:';
/** `toDayStart` of contract/values/months.ts. */
const START = sql`cast(counts.day as bigint) * ${sql.lit(DAY_MS)} - ${sql.lit(JAPAN_MS)}`;

/** Credits that are not refused are never deleted, so each day has them all. Older days are being deleted. */
async function* findWrongDays(db: Database['db'], nowMs: number): AsyncIterable<string> {
  const select = async (after: string) => {
    const [subject = '', day = '0'] = after.split(' ');
    const { rows } = await sql<{ subject: string; day: number; credits: number; credited: number }>`
      select counts.subject, counts.day, counts.credits, (
        select count(*) from download_credits
        where artist_id = substr(counts.subject, ${SUBJECT.length + 1}) and state = 'credited'
          and created_at >= ${START} and created_at < ${START} + ${sql.lit(DAY_MS)}
      ) as credited
      from download_counts as counts
      where counts.subject like ${`${SUBJECT}%`} and counts.day > ${toDay(nowMs) - DAYS} and (counts.subject, counts.day) > (${subject}, ${Number(day)})
      order by counts.subject, counts.day limit ${WINDOW_ROWS}`.execute(db);
    return rows;
  };
  const windows = inWindows(`${SUBJECT} 0`, select, ({ subject, day }) => `${subject} ${day}`);
  for await (const rows of windows) {
    for (const { subject, day, credits, credited } of rows) {
      if (credits !== credited)
        yield `${subject}, day ${day}: ${credits} credits, ${credited} credited downloads`;
    }
  }
}
