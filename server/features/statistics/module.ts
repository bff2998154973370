import { HOUR_SEC } from '../../../contract/values/time-units.ts';
import * as calls from '../../../contract/artists/statistics.ts';
import type { Play } from '../../../contract/artists/statistics.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { byAddress, byMember } from '../../platform/http/access.ts';
import { route, withDeps } from '../../platform/http/route.ts';
import { toNetworkGroup, toProviderGroup } from '../../platform/http/address-limits.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';
import type { Feature } from '../feature.ts';
import { createCounter } from './counter.ts';
import type { Counted } from './counter.ts';
import { deleteOldStatistics } from './expiry.ts';
import { readOwnStatistics } from './own-statistics.ts';
import { createRepeatFilter } from './repeats.ts';
import type { RepeatFilter } from './repeats.ts';
import { toWord } from './words.ts';
import type { Origin } from './words.ts';

/** Plays, and what became of an artist's sounds. */
export const statisticsFeature: Feature = {
  name: 'statistics',
  apiTexts: () => import('./api-texts.ts'),
  createModule() {
    const toDeps = (platform: Platform) => ({
      ...platform,
      count: createCounter(platform),
      repeats: createRepeatFilter(),
    });
    return {
      routes: withDeps(toDeps, ROUTES),
      scheduledJobs: (platform) => [{ name: 'old statistics', run: () => deleteOldStatistics(platform) }],
    };
  },
};

type StatisticsDeps = Platform & {
  readonly count: (counted: Counted) => void;
  readonly repeats: RepeatFilter;
};

/** Calls of one address. Each reports up to 20 sounds, at most every few seconds; a school has one address. */
const PLAY_CALLS: RateLimit = { name: 'plays', points: 600, perSec: 60 };
const MISSED_SEARCHES: RateLimit = { name: 'missed-searches', points: 120, perSec: HOUR_SEC };
/** A busy artist's year takes a tenth of a second to add up. */
const STATISTICS: RateLimit = { name: 'statistics', points: 240, perSec: HOUR_SEC };

/** Programs that say so; the name of a make of telephones is no robot. */
const ROBOT =
  /(?<!cu)bot|crawl|spider|slurp|headless|lighthouse|preview|scan|monitor|curl|wget|python|java\/|go-http|okhttp|axios|node/i;
const isRobot = (userAgent = '') => userAgent === '' || ROBOT.test(userAgent);

const COUNTED = { detail: '受け取りました。' };

const ROUTES: readonly Route<StatisticsDeps>[] = [
  route(
    calls.countPlays,
    { caller: 'anyone', owner: 'public', limits: [byAddress(PLAY_CALLS)] },
    async ({ body, caller, address, context }, deps) => {
      if (isRobot(context.req.header('user-agent'))) return COUNTED;
      for (const play of body.plays) countPlay(deps, play, caller, address);
      return COUNTED;
    },
  ),

  route(
    calls.countMissedSearch,
    { caller: 'anyone', owner: 'nothing', limits: [byAddress(MISSED_SEARCHES)] },
    async ({ body, address, context }, { clock, count, repeats }) => {
      const word = toWord(body.search);
      const atMs = clock.now();
      if (word === '' || isRobot(context.req.header('user-agent'))) return COUNTED;
      if (!repeats.isNew(address, `search ${word}`, atMs)) return COUNTED;
      if (repeats.isWordCounted(address, null, word, atMs))
        count({ soundId: null, source: 'search', word, origin: toOrigin(address), memberId: null, atMs });
      return COUNTED;
    },
  ),

  route(
    calls.getOwnStatistics,
    { caller: 'member', owner: 'own', limits: [byMember(STATISTICS)] },
    ({ query: { span = 'days', sound = '' }, caller }, { database, clock }) =>
      readOwnStatistics(database, caller.id, { span, soundId: sound }, clock.now()),
  ),
];

function countPlay(
  { clock, count, repeats }: StatisticsDeps,
  { sound: soundId, source, search = '' }: Play,
  caller: Caller | null,
  address: string,
): void {
  const atMs = clock.now();
  if (!isId(soundId) || !repeats.isNew(address, soundId, atMs)) return;
  const searched = source === 'search' ? toWord(search) : '';
  const word = searched !== '' && repeats.isWordCounted(address, soundId, searched, atMs) ? searched : '';
  count({ soundId, source, word, origin: toOrigin(address), memberId: caller?.id ?? null, atMs });
}

function toOrigin(address: string): Origin {
  return { network: toNetworkGroup(address), provider: toProviderGroup(address) };
}
