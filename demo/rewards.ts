import { DAY_MS } from '../contract/values/time-units.ts';
import {
  listMonths,
  splitMonth,
  toDayStart,
  toFirstDay,
  toMonth,
  toNextMonth,
} from '../contract/values/months.ts';
import type { Month } from '../contract/values/months.ts';
import type { Database } from '../server/platform/database/open.ts';
import { SOUND_REFERENCE } from '../server/features/ledger/statement-queries.ts';
import { bookDecision } from '../server/features/ledger/payout-decisions.ts';
import { bookPayoutRequest } from '../server/features/ledger/payout-requests.ts';
import { recordReward } from '../server/features/ledger/postings.ts';
import { updateReviewStatus } from '../server/features/reviews/personal-info/kind.ts';
import { DEMO_BANK } from './accounts.ts';
import type { SoundSpec } from './catalogue.ts';
import { between, seededRandom } from './random.ts';
import { everyTable } from '../server/platform/database/schema.ts';
import type { Handle } from '../server/platform/database/handle.ts';

/** More than the default of REWARD_YEN_PER_DOWNLOAD, so that the demo's months reach four figures. */
const YEN_PER_DOWNLOAD = 3;
/** Monthly growth of downloads. */
const GROWTH = 1.05;
/** From January to December: many films are finished in March, August is quiet, the end of the year is busy. */
const SEASONS = [0.95, 0.9, 1.25, 1.05, 0.95, 0.9, 1, 0.8, 0.95, 1.1, 1.15, 1.3];

/** Has been paid out before. */
const PAID_ARTIST = { username: 'Minamo Works', furigana: 'みなもこうぼう' };
const PAID_MONTHS_AGO = 7;
/** Has a pending payout; this member gets a verified ID here, since no other demo account shows this state. */
const WAITING_ARTIST = { username: '鈴鳴堂', furigana: 'すずなりどう' };
const WAITING_DAYS = 2;

interface Happening {
  readonly atMs: number;
  readonly book: () => Promise<unknown>;
}

/** A published sound of the catalogue. */
export type SeededSound = Pick<SoundSpec, 'artist' | 'downloadCount' | 'createdDaysAgo'> & {
  readonly id: string;
};

/**
 * Books the existing downloads of sounds as their artists' rewards, month by month since each sound was published, and
 * two payouts, in chronological order. `artistIds` by username.
 */
export async function seedRewards(
  database: Database,
  sounds: readonly SeededSound[],
  artistIds: ReadonlyMap<string, string>,
  nowMs: number,
): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    const happenings: Happening[] = [];
    for (const { sound, month, downloads } of spreadDownloads(sounds, nowMs)) {
      const artistId = artistIds.get(sound.artist);
      if (artistId === undefined || downloads === 0) continue;
      const atMs = Math.min(toMonthEnd(month) - 1, nowMs);
      const yen = downloads * YEN_PER_DOWNLOAD;
      const names = {
        reference: `${SOUND_REFERENCE}${sound.id}`,
        idempotencyKey: `demo ${sound.id} ${month}`,
      };
      const book = () => recordReward(transaction, { artistId, downloads, yen, atMs, ...names });
      happenings.push({ atMs, book });
    }

    const staff = everyTable(transaction).selectFrom('users').select('id').where('is_staff', '=', 1);
    const request = async ({ username, furigana }: typeof PAID_ARTIST, atMs: number) => {
      const user = await everyTable(transaction)
        .updateTable('users')
        .set({ ...DEMO_BANK, furigana })
        .where('username', '=', username)
        .returning(['id', 'email'])
        .executeTakeFirstOrThrow();
      await updateReviewStatus(transaction, user.id, 'confirmed');
      return bookPayoutRequest(transaction, user.id, { email: user.email }, { now: () => atMs });
    };
    const paidMs = toMonthEnd(listMonths(toMonth(nowMs), PAID_MONTHS_AGO + 1).at(-1) ?? toMonth(nowMs));
    happenings.push({
      atMs: paidMs,
      async book() {
        const { receipt } = await request(PAID_ARTIST, paidMs);
        const { id: decided_by } = await staff.executeTakeFirstOrThrow();
        const decision = { state: 'paid' as const, decided_at: paidMs + 3 * DAY_MS, decided_by, reason: '' };
        await bookDecision(transaction, receipt.id, decision);
      },
    });
    const askedMs = nowMs - WAITING_DAYS * DAY_MS;
    happenings.push({ atMs: askedMs, book: () => request(WAITING_ARTIST, askedMs) });

    for (const { book } of happenings.toSorted((a, b) => a.atMs - b.atMs)) await book();
  });
}

interface MonthOfSound {
  readonly sound: SeededSound;
  readonly month: Month;
  readonly downloads: number;
}

/** Each sound's downloads by month, oldest first; their sum is its total. */
function spreadDownloads(sounds: readonly SeededSound[], nowMs: number): MonthOfSound[] {
  return sounds.flatMap((sound, index) => {
    const random = seededRandom(`rewards of ${sound.artist} ${index}`);
    const { downloadCount } = sound;
    const createdMs = nowMs - sound.createdDaysAgo * DAY_MS;
    const months = listMonthsSince(createdMs, nowMs);
    const weights = months.map((month, age) => {
      const days = Math.min(toMonthEnd(month), nowMs) - Math.max(toMonthEnd(toPrevious(month)), createdMs);
      const season = SEASONS[splitMonth(month).month - 1] ?? 1;
      return days * season * GROWTH ** age * between(random, 0.75, 1.25);
    });
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    let weight = 0;
    let given = 0;
    return months.map((month, age) => {
      weight += weights[age] ?? 0;
      // The last month takes the remainder of the rounding.
      const until = age === months.length - 1 ? downloadCount : Math.floor((downloadCount * weight) / whole);
      const downloads = until - given;
      given = until;
      return { sound, month, downloads };
    });
  });
}

/** Oldest first. */
function listMonthsSince(fromMs: number, toMs: number): Month[] {
  const first = toMonth(fromMs);
  const months = [toMonth(toMs)];
  for (let month = first; month < toMonth(toMs); month = toNextMonth(month)) months.splice(-1, 0, month);
  return months;
}

/** The end of a month in Japan. */
function toMonthEnd(month: Month): number {
  return toDayStart(toFirstDay(toNextMonth(month)));
}

function toPrevious(month: Month): Month {
  return listMonths(month, 2).at(-1) ?? month;
}
