import { MINUTE_MS } from '../../../contract/values/time-units.ts';
import { listMonths, toDay, toDayStart, toFirstDay, toMonth } from '../../../contract/values/months.ts';
import { dayOf } from '../../platform/database/statements/days.ts';
import type { StaffActionName } from '../../../contract/operator/action-texts.ts';
import { SPANS, type Span, type Statistics } from '../../../contract/operator/statistics.ts';
import type { Platform } from '../../platform/http/context.ts';
import { SITE_SUBJECT } from '../downloads/counts.ts';
import { selectMissedWords } from '../statistics/queries.ts';
import { cacheResult } from './result-cache.ts';
import type { Db } from './tables.ts';

const TOP_MAX = 10;
const MISSED_MAX = 30;
/** Figures are read once for all requests within this time: the spans have thousands of rows. */
const CACHE_MS = 10 * MINUTE_MS;
const WEEK_DAYS = 7;

/** The figures of a day (`toDay`). */
type Day = { readonly day: number } & Partial<Omit<Span, 'starts_at'>>;

/** Returns a function that reads how the site develops, at most every ten minutes. */
export function createStatisticsReader(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  retainMailsDays: number,
): () => Promise<Statistics> {
  return cacheResult(CACHE_MS, async () => {
    const { db } = database;
    const nowMs = clock.now();
    const weeks = listWeeks(toDay(nowMs));
    const months = listMonthStarts(nowMs);
    const from = Math.min(...weeks, ...months);
    // The first day of which all mails are still there.
    const mailsFrom = Math.max(from, toDay(nowMs) - retainMailsDays + 1);
    const days = [
      ...(await readDays(db, from)),
      ...(await readMails(db, mailsFrom)),
      ...(await readRefusals(db, from)),
    ];
    const toSpans = (starts: readonly number[]) => sumUp(starts, days, mailsFrom);
    return {
      weeks: toSpans(weeks),
      months: toSpans(months),
      top: await readTop(db),
      missed: await selectMissedWords(db, months.slice(-2), MISSED_MAX),
    };
  });
}

/** First days of the last weeks, oldest first. Weeks begin on Monday; day 0 was a Thursday. */
function listWeeks(today: number): number[] {
  const monday = today - ((today + 3) % WEEK_DAYS);
  return Array.from({ length: SPANS }, (_, index) => monday - (SPANS - 1 - index) * WEEK_DAYS);
}

/** First days of the last months, oldest first. */
function listMonthStarts(nowMs: number): number[] {
  return listMonths(toMonth(nowMs), SPANS).toReversed().map(toFirstDay);
}

function sumUp(starts: readonly number[], days: readonly Day[], mailsFrom: number): Span[] {
  const spans = starts.map((start) => ({
    starts_at: toDayStart(start),
    downloads: 0,
    credits: 0,
    yen: 0,
    sounds: 0,
    sound_bytes: 0,
    members: 0,
    mails_sent: start < mailsFrom ? null : 0,
    mails_failed: start < mailsFrom ? null : 0,
    refused_checks: 0,
    refused_ids: 0,
    removed_sounds: 0,
  }));
  for (const { day, ...figures } of days) {
    const span = spans[starts.findLastIndex((start) => start <= day)];
    if (span === undefined) continue;
    for (const [name, value] of Object.entries(figures) as [keyof typeof figures, number][]) {
      const sum = span[name];
      if (sum !== null) span[name] = sum + Number(value);
    }
  }
  return spans;
}

/** All figures from a day on; a day can have several entries. */
async function readDays(db: Db, from: number): Promise<Day[]> {
  const createdOn = dayOf('created_at');
  const downloads = db
    .selectFrom('download_counts')
    .select(['day', 'counted as downloads', 'credits'])
    .where('subject', '=', SITE_SUBJECT)
    .where('day', '>=', from);
  const rewards = db
    .selectFrom('artist_days')
    .select(({ fn }) => ['day', fn.sum<number>('reward_yen').as('yen')])
    .where('day', '>=', from)
    .groupBy('day');
  const sounds = db
    .selectFrom('sounds')
    .select(({ fn }) => [
      createdOn.as('day'),
      fn.countAll<number>().as('sounds'),
      fn.sum<number>('audio_size').as('sound_bytes'),
    ])
    .where('created_at', '>=', toDayStart(from))
    .groupBy(createdOn);
  const members = db
    .selectFrom('users')
    .select(({ fn }) => [createdOn.as('day'), fn.countAll<number>().as('members')])
    .where('created_at', '>=', toDayStart(from))
    .groupBy(createdOn);
  const days: Day[] = [];
  for (const query of [downloads, rewards, sounds, members]) {
    const rows: readonly Day[] = await query.execute();
    days.push(...rows.map((row) => ({ ...row, day: Number(row.day) })));
  }
  return days;
}

/** Read from an index alone. */
async function readMails(db: Db, from: number): Promise<Day[]> {
  const day = dayOf('finished_at');
  const rows = await db
    .selectFrom('mail_outbox')
    .select(({ fn }) => ['state', day.as('day'), fn.countAll<number>().as('mails')])
    .where('state', 'in', ['sent', 'given-up'])
    .where('finished_at', '>=', toDayStart(from))
    .groupBy(['state', day])
    .execute();
  return rows.map(({ state, mails, ...row }) => ({
    day: Number(row.day),
    [state === 'sent' ? 'mails_sent' : 'mails_failed']: mails,
  }));
}

const REFUSALS: Readonly<Partial<Record<StaffActionName, keyof Span>>> = {
  'reject quality check': 'refused_checks',
  'reject personal info': 'refused_ids',
  'hide sound': 'removed_sounds',
  'delete sound': 'removed_sounds',
};

/** What the record of the staff's actions says, read from an index alone. */
async function readRefusals(db: Db, from: number): Promise<Day[]> {
  const day = dayOf('at');
  const rows = await db
    .selectFrom('operator_actions')
    .select(({ fn }) => ['action', day.as('day'), fn.countAll<number>().as('times')])
    .where('action', 'in', Object.keys(REFUSALS))
    .where('at', '>=', toDayStart(from))
    .groupBy(['action', day])
    .execute();
  return rows.map(({ action, times, ...row }) => ({
    day: Number(row.day),
    [REFUSALS[action as StaffActionName] ?? action]: times,
  }));
}

function readTop(db: Db): Promise<Statistics['top']> {
  return db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select(['sounds.id', 'sounds.title', 'users.username as artist', 'sounds.download_count as downloads'])
    .where('sounds.is_published', '=', 1)
    .orderBy('sounds.download_count', 'desc')
    .orderBy('sounds.seq', 'desc')
    .limit(TOP_MAX)
    .execute();
}
