import { sql } from 'kysely';
import { DAY_MS } from '../../../../contract/time-units.ts';
import { PEAK_BARS } from '../../../../contract/peaks.ts';
import { SESSION_AGE_MAX_MS } from '../../accounts/sessions.ts';
import { toCodeStep } from '../../accounts/second-factor.ts';
import { countOf } from '../check.ts';
import type { Check } from '../check.ts';
import { SET_RIGHT, compareRows } from '../comparison.ts';
import type { Comparison } from '../comparison.ts';
import { findUnreadableTexts } from './stored-texts.ts';
import { findImpossibleTimes } from './times.ts';

/** Values that no call of the site writes. */
export const values: Check = {
  name: 'values',
  priority: 'critical',
  consoleText: null,
  async run(site) {
    const database = await site.openDatabase();
    const nowMs = site.clock.now();
    return [
      ...(await compareRows(database.db, toComparisons(nowMs))),
      ...(await findImpossibleTimes(database, nowMs)),
      ...(await findUnreadableTexts(database.db)),
    ];
  },
};

function toComparisons(nowMs: number): Comparison[] {
  return [
    {
      kind: 'sounds',
      query: sql`select 'sound ' || id as name from sounds where deleted_at is null and (
        duration_ms <= 0 or audio_size <= 0 or bit_rate < 0 or sample_rate < 0 or download_count < 0
        or favorite_count < 0 or popularity < 0 or audio_key = '' or audio_mime not like 'audio/%'
        or length(peaks) not in (0, ${sql.lit(PEAK_BARS)}) or created_at <= 0)`,
      found: (count) => `${countOf(count, 'sound')} has a length, size, kind or waveform that no upload has.`,
      meaning: 'It is shown, sorted or played wrongly, or is found by the wrong filters.',
      remedy: SET_RIGHT,
    },
    {
      kind: 'endless-leases',
      // A lease is renewed within minutes.
      query: sql`select 'lease ' || name as name from leases where expires_at > ${nowMs + DAY_MS}`,
      found: (count) => `${countOf(count, 'task')} of the server is reserved for longer than a day.`,
      meaning: 'No process does it until then: hourly jobs, similar sounds or decoding stand still.',
      remedy: 'Delete these rows of the table leases; running processes take them again.',
    },
    {
      kind: 'endless-sessions',
      query: sql`select 'member ' || user_id as name from sessions
        where expires_at > ${nowMs + SESSION_AGE_MAX_MS + DAY_MS}`,
      found: (count) => `${countOf(count, 'session')} lasts longer than any log-in.`,
      meaning: 'Someone may have made a log-in that does not end.',
      remedy: 'End the sessions of these members in the console.',
    },
    {
      kind: 'spent-codes',
      query: sql`select 'member ' || user_id as name from second_factors
        where last_step > ${toCodeStep(nowMs + DAY_MS)}`,
      found: (count) => `The second factor of ${countOf(count, 'member')} takes no code for more than a day.`,
      meaning: 'The last code that was used is one of the future: they cannot do what needs a code.',
      remedy: 'Reset their second factors: "npm run operator -- members reset-second-factor".',
    },
    {
      kind: 'late-mails',
      query: sql`select 'mail ' || id as name from mail_outbox
        where state = 'waiting' and next_attempt_at > ${nowMs + 2 * DAY_MS}`,
      found: (count) => `${countOf(count, 'mail')} waits for longer than the server would let it.`,
      meaning: 'It is not sent until then.',
      remedy: 'Send it at once: "npm run operator -- mail retry".',
    },
  ];
}
