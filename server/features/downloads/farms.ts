import { toDay, toDayStart } from '../../../contract/values/months.ts';
import type { Db } from './tables.ts';

/**
 * A network whose downloads earn for many artists: a school or a carrier does too, but no artist earns from such
 * networks alone.
 */
const CREDITS_OF_NETWORK_MIN = 15;
const ARTISTS_OF_NETWORK_MIN = 5;
/** An artist of a farm: most credits of a good day are from such networks. */
const CREDITS_OF_ARTIST_MIN = 25;
const SHARE_MIN = 0.8;
/** One or two artists may have a class as their audience. */
const ARTISTS_MIN = 3;

/**
 * Artists who owe nearly all credits of a day, yesterday or today, to the same few networks: a farm can stay below every
 * limit by earning exactly the allowance for each of many artists. Empty unless there are several. Nothing is proven by
 * it. Reads at most the credits of two days, which the limit of the site bounds.
 */
export async function findFarmedArtists(db: Db, nowMs: number): Promise<readonly string[]> {
  const today = toDay(nowMs);
  // Networks are hashed with another key each day.
  const days = [await findOfDay(db, today - 1), await findOfDay(db, today)];
  return [...new Set(days.flat())];
}

async function findOfDay(db: Db, day: number): Promise<string[]> {
  const pairs = await db
    .selectFrom('download_credits')
    .select(['artist_id', 'network'])
    .select(({ fn }) => fn.countAll<number>().as('credits'))
    .where('state', '=', 'credited')
    .where('created_at', '>=', toDayStart(day))
    .where('created_at', '<', toDayStart(day + 1))
    .groupBy(['artist_id', 'network'])
    .execute();
  const networks = sumBy(pairs, ({ network }) => network);
  const isBusy = ({ network }: (typeof pairs)[number]) => {
    const { credits = 0, rows = 0 } = networks.get(network) ?? {};
    return network !== null && credits >= CREDITS_OF_NETWORK_MIN && rows >= ARTISTS_OF_NETWORK_MIN;
  };
  const all = sumBy(pairs, ({ artist_id }) => artist_id);
  const busy = sumBy(pairs.filter(isBusy), ({ artist_id }) => artist_id);
  const farmed = [...busy].flatMap(([artistId, { credits }]) => {
    const whole = all.get(artistId)?.credits ?? 0;
    return whole >= CREDITS_OF_ARTIST_MIN && credits >= whole * SHARE_MIN ? [artistId] : [];
  });
  return farmed.length >= ARTISTS_MIN ? farmed : [];
}

function sumBy<Pair extends { readonly credits: number | string }, Key>(
  pairs: readonly Pair[],
  toKey: (pair: Pair) => Key,
): Map<Key, { credits: number; rows: number }> {
  const sums = new Map<Key, { credits: number; rows: number }>();
  for (const pair of pairs) {
    const { credits = 0, rows = 0 } = sums.get(toKey(pair)) ?? {};
    sums.set(toKey(pair), { credits: credits + Number(pair.credits), rows: rows + 1 });
  }
  return sums;
}
