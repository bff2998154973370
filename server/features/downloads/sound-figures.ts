import { toDay, toDayStart } from '../../../contract/values/months.ts';
import { dayOf } from '../../platform/database/statements/days.ts';
import { SOUND_CREDITS_MAX, SOUND_DAYS } from '../../../contract/operator/sounds.ts';
import type { ReviewedSound } from '../../../contract/operator/sounds.ts';
import type { CreditState } from './review-queries.ts';
import type { Db } from './tables.ts';

const STATES: readonly CreditState[] = ['credited', 'held', 'rejected', 'refused', 'reversed'];

/** The downloads of a sound since a time that were certified. Read from the index of credits by their state. */
export async function countDownloadsSince(db: Db, soundId: string, sinceMs: number): Promise<number> {
  const { downloads } = await db
    .selectFrom('download_credits')
    .select(({ fn }) => fn.countAll<number>().as('downloads'))
    .where('sound_id', '=', soundId)
    .where('state', 'in', STATES)
    .where('created_at', '>=', sinceMs)
    .executeTakeFirstOrThrow();
  return Number(downloads);
}

/** What the downloads of a sound have earned, by day and by state. Each is read from one index, up to a limit. */
export async function readSoundFigures(
  db: Db,
  soundId: string,
  nowMs: number,
): Promise<Pick<ReviewedSound, 'days' | 'credits'>> {
  return { days: await readDays(db, soundId, toDay(nowMs)), credits: await readCredits(db, soundId) };
}

/** The limits of stored downloads (`recordsPerSite`) bound the rows of a day. */
async function readDays(db: Db, soundId: string, today: number): Promise<ReviewedSound['days']> {
  const first = today - SOUND_DAYS + 1;
  const rows = await db
    .selectFrom('download_credits')
    .select(dayOf('created_at').as('day'))
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.sum<number>('yen').as('yen')])
    .where('sound_id', '=', soundId)
    .where('state', 'in', STATES)
    .where('created_at', '>=', toDayStart(first))
    .groupBy(['day', 'state'])
    .execute();
  return Array.from({ length: SOUND_DAYS }, (_, index) => {
    const day = first + index;
    const found = rows.filter((row) => Number(row.day) === day);
    return {
      day,
      downloads: found.reduce((sum, { count }) => sum + Number(count), 0),
      yen: Number(found.find(({ state }) => state === 'credited')?.yen ?? 0),
    };
  });
}

async function readCredits(db: Db, soundId: string): Promise<ReviewedSound['credits']> {
  const credits = {
    credited: { count: 0, yen: 0 },
    held: { count: 0, yen: 0 },
    refused: { count: 0, yen: 0 },
  };
  for (const state of STATES) {
    const { count, yen } = await db
      .selectFrom((query) =>
        query
          .selectFrom('download_credits')
          .select('yen')
          .where('sound_id', '=', soundId)
          .where('state', '=', state)
          .orderBy('created_at', 'desc')
          .limit(SOUND_CREDITS_MAX)
          .as('newest'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('yen').as('yen')])
      .executeTakeFirstOrThrow();
    const sum = state === 'credited' || state === 'held' ? credits[state] : credits.refused;
    sum.count = Math.min(sum.count + Number(count), SOUND_CREDITS_MAX);
    sum.yen += Number(yen ?? 0);
  }
  return credits;
}
