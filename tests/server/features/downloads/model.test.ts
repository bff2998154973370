import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOTICE_SECONDS_MIN } from '#contract/downloads/ads.ts';
import { toDay } from '#contract/values/months.ts';
import { approveCredit, listHeldCredits, rejectCredit } from '#server/features/downloads/review.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { getRow, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import {
  addSoundOf,
  createVisitor,
  readDownloadCount,
  readEarned,
  toNewAddress,
} from '#support/sounds/downloads.ts';
import type { TestVisitor } from '#support/sounds/downloads.ts';
import { addPayee } from '#support/members/payouts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RUNS = { sqlite: depth(30, 60), postgres: 30 };
const YEN = 7;
const LIMITS = {
  creditsPerVisitor: 3,
  creditsPerNetwork: 5,
  creditsPerNetworkAndArtist: 3,
  heldAbove: 4,
  heldAboveUsual: 1,
};

/** The expected books as a simple model: a list of events. */
interface ModelIntent {
  readonly id: string;
  readonly who: number;
  readonly sound: number;
  readonly atMs: number;
  readonly isRepeat: boolean;
  doneMs?: number;
  isGranted?: boolean;
  verdict?: 'credited' | 'held' | 'rejected' | 'refused';
  isCounted?: boolean;
  isApproved?: boolean;
}

const who = fc.nat(3);
const sound = fc.nat(3);
const command = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('download' as const), who, sound }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('begin' as const), who, sound }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      which: fc.nat(4),
      isLogged: fc.nat(5).map((chance) => chance > 0),
      thief: fc.oneof({ weight: 1, arbitrary: who }, { weight: 7, arbitrary: fc.constant(undefined) }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 3_000, max: 8_000 }) },
        { weight: 1, arbitrary: fc.constantFrom(61 * MINUTE_MS, DAY_MS, 31 * DAY_MS) },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('decide' as const), isGood: fc.boolean() }) },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

describe.each(ruleDatabases)('M4 intents and credits on $name', ({ name, open }) => {
  const { database, api, useStaff } = useApiOnce(open, () => ({
    rewardYenPerDownload: YEN,
    downloadLimits: LIMITS,
  }));
  const staffId = useStaff();
  let made = 0;

  test('match the model after random operations', { timeout: 180_000 }, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 80, size: 'max' }), async (commands) => {
        const world = await makeWorld();
        for (const each of commands) await run(world, each);
        await compare(world);
        for (const { verdict = 'open' } of world.intents) seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      }),
      { numRuns: RUNS[name] },
    );
    expect(await verifyLedger(database.db)).toEqual([]);
    expect([...seen.keys()].toSorted()).toEqual(['credited', 'held', 'open', 'refused', 'rejected']);
    expect(seen.get('credited')).toBeGreaterThan(RUNS[name]);
  });

  interface World {
    readonly artists: readonly string[];
    readonly sounds: readonly string[];
    /** Two of them are in one network. */
    readonly visitors: readonly TestVisitor[];
    readonly intents: ModelIntent[];
  }

  async function makeWorld(): Promise<World> {
    const artists = [];
    const sounds = [];
    for (let index = 0; index < 2; index += 1) {
      const artistId = await addPayee(database, `artist${(made += 1)}`);
      artists.push(artistId);
      sounds.push(await addSoundOf(database, artistId), await addSoundOf(database, artistId));
    }
    const [home, away] = [toNewAddress(), toNewAddress()];
    const visitors = [home, home, away, away].map((address) => createVisitor(api, { address }));
    return { artists, sounds, visitors, intents: [] };
  }

  async function run(world: World, each: Command): Promise<void> {
    if (each.do === 'wait') return api.clock.advance(each.ms);
    if (each.do === 'begin') return begin(world, each.who, each.sound);
    if (each.do === 'download') {
      await begin(world, each.who, each.sound);
      api.clock.advance(5_000);
      const begun = world.intents.at(-1);
      return begun && ask(world, begun, true, each.who);
    }
    if (each.do === 'decide') return decide(world, each.isGood);
    const intent = world.intents.at(-1 - each.which);
    if (intent !== undefined) await ask(world, intent, each.isLogged, each.thief ?? intent.who);
  }

  async function begin({ visitors, sounds, intents }: World, by: number, of: number): Promise<void> {
    const atMs = api.clock.now();
    const isRepeat = intents.some(
      (one) => one.who === by && one.sound === of && one.isGranted && (one.doneMs ?? 0) > atMs - DAY_MS,
    );
    const begun = await visitors[by]?.begin(sounds[of] ?? '');
    expect(begun?.is_granted).toBe(isRepeat);
    intents.push({ id: begun?.id ?? '', who: by, sound: of, atMs, isRepeat });
  }

  async function ask(world: World, intent: ModelIntent, isLogged: boolean, by: number): Promise<void> {
    const now = api.clock.now();
    const query = { intent: intent.id, log: isLogged, provider: 'gpt' } as const;
    const response = await world.visitors[by]?.ask(world.sounds[intent.sound] ?? '', query);
    const isLive = by === intent.who && intent.doneMs === undefined && intent.atMs > now - 60 * MINUTE_MS;
    const isEarly = isLogged && !intent.isRepeat && now < intent.atMs + 5_000;
    expect(response?.status).toBe(isLive && isEarly ? 409 : 200);
    if (!isLive || isEarly) return;
    const isGranted = isLogged && !intent.isRepeat;
    Object.assign(intent, judge(world, intent, isGranted, now), { doneMs: now, isGranted });
  }

  function judge({ intents }: World, intent: ModelIntent, isGranted: boolean, now: number) {
    const isClaim = (one: ModelIntent) => one.verdict !== 'refused';
    const done = intents.filter((one) => one.doneMs !== undefined);
    const same = done.filter(
      (one) => one.who === intent.who && one.sound === intent.sound && (one.doneMs ?? 0) > now - 30 * DAY_MS,
    );
    const isTooFast = done.some(
      (one) => one.who === intent.who && isClaim(one) && (one.doneMs ?? 0) > now - NOTICE_SECONDS_MIN * 1000,
    );
    const today = done.filter((one) => toDay(one.doneMs ?? 0) === toDay(now));
    const isFlood = (list: readonly ModelIntent[], times = 1) => {
      const near = list.filter((one) => toNetwork(one.who) === toNetwork(intent.who));
      const ofArtist = near.filter((one) => toArtist(one.sound) === toArtist(intent.sound));
      return (
        near.length >= times * LIMITS.creditsPerNetwork ||
        ofArtist.length >= times * LIMITS.creditsPerNetworkAndArtist
      );
    };
    const isOver = (list: readonly ModelIntent[]) =>
      list.filter((one) => one.who === intent.who).length >= LIMITS.creditsPerVisitor;
    const counted = today.filter((one) => one.isCounted);
    const claims = today.filter(isClaim);
    const isCounted =
      !intent.isRepeat && !same.some((one) => one.isCounted) && !isOver(counted) && !isFlood(counted);
    if (!isGranted || same.some(isClaim) || isTooFast || isOver(claims) || isFlood(claims, 10))
      return { verdict: 'refused' as const, isCounted };
    const ofArtist = done.filter(
      (one) => one.verdict === 'credited' && toArtist(one.sound) === toArtist(intent.sound),
    );
    const day = toDay(now);
    const creditsOf = (when: number) => ofArtist.filter(({ doneMs = 0 }) => toDay(doneMs) === when).length;
    // No artist here has credits on half of 90 days: only approvals can raise the allowance.
    const vouchedDays = ofArtist
      .filter(({ isApproved, doneMs = 0 }) => isApproved && toDay(doneMs) < day && toDay(doneMs) >= day - 30)
      .map(({ doneMs = 0 }) => toDay(doneMs));
    const allowance = Math.max(LIMITS.heldAbove, ...vouchedDays.map(creditsOf));
    // Each network has its own provider, which brings at most half. Approved credits do not count for it.
    const near = ofArtist.filter(
      (one) => !one.isApproved && toNetwork(one.who) === toNetwork(intent.who) && today.includes(one),
    );
    const isHeld = isFlood(claims) || creditsOf(day) >= allowance || near.length >= allowance / 2;
    return { verdict: isHeld ? ('held' as const) : ('credited' as const), isCounted };
  }

  async function decide({ intents }: World, isGood: boolean): Promise<void> {
    const intent = intents.find(({ verdict }) => verdict === 'held');
    if (intent === undefined) return;
    const { id } = await getRow(database, 'download_credits', { intent_id: intent.id });
    const deps = { database, clock: api.clock };
    expect((await listHeldCredits(deps)).map((held) => held.id)).toContain(id);
    await (isGood ? approveCredit(deps, id, staffId) : rejectCredit(deps, id, staffId, '理由'));
    intent.verdict = isGood ? 'credited' : 'rejected';
    intent.isApproved = isGood;
  }

  async function compare({ artists, sounds, intents }: World): Promise<void> {
    for (const [index, artistId] of artists.entries()) {
      const paid = intents.filter((one) => one.verdict === 'credited' && toArtist(one.sound) === index);
      expect(await readEarned(database, artistId)).toBe(paid.length * YEN);
    }
    for (const [index, soundId] of sounds.entries()) {
      const counted = intents.filter((one) => one.isCounted && one.sound === index);
      expect(await readDownloadCount(database, soundId)).toBe(counted.length);
    }
  }
});

const toNetwork = (visitor: number) => Math.floor(visitor / 2);
const toArtist = (index: number) => Math.floor(index / 2);
