import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAYOUT_MIN_YEN } from '#contract/payouts/payouts.ts';
import { type Month, listMonths, toDay, toMonth } from '#contract/values/months.ts';
import { readFigures } from '#server/features/ledger/figures.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import { reverseReward } from '#server/features/ledger/reversals.ts';
import { readStatement } from '#server/features/ledger/statements.ts';
import { payPayout, refusePayout } from '#server/features/ledger/payout-decisions.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import {
  addPayee,
  askForPayout,
  findOpenPayoutId,
  toAddress,
  toPayoutDeps,
} from '#support/members/payouts.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const DAY_MS = 86_400_000;
const RUNS = 60;

/** What the books should be, kept as simply as can be: lists and sums. */
interface ModelArtist {
  readonly id: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly earned: { key: string; month: Month; day: number; yen: number; downloads: number }[];
  readonly takenBack: { key: string; month: Month; day: number; yen: number; downloads: number }[];
  readonly rewardKeys: Set<string>;
  readonly requests: { amount: number; key: string; state: 'requested' | 'paid' | 'refused'; id: string }[];
}

const artist = fc.nat(2);
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reward' as const),
      artist,
      yen: fc.oneof(fc.nat(4), fc.integer({ min: 500, max: 6_000 })),
      downloads: fc.nat(3),
      monthsAgo: fc.nat(3),
      key: fc.oneof(key, fc.uuid()),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('nonsense' as const),
      artist,
      yen: fc.oneof(fc.double(), fc.integer({ max: -1 }), fc.constantFrom(NaN, 2 ** 53, Infinity, 0.1)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      artist,
      key: fc.oneof(fc.constant(''), key, fc.uuid()),
      isOwnAddress: fc.nat(9).map((chance) => chance > 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('pay' as const, 'refuse' as const),
      artist,
      which: fc.nat(5),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('reverse' as const),
      artist,
      which: fc.oneof({ weight: 5, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.constant(undefined) }),
      isAgain: fc.nat(4).map((chance) => chance === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** Has every outcome of a reversal; random operations may lack one that is rare. */
const REVERSE = { do: 'reverse', artist: 0, which: 0, isAgain: false } as const;
const EVERY_REVERSAL: Command[] = [
  { ...REVERSE, which: undefined },
  { do: 'reward', artist: 0, yen: 5_000, downloads: 1, monthsAgo: 3, key: 'a' },
  { do: 'request', artist: 0, key: '', isOwnAddress: true },
  REVERSE,
  { do: 'refuse', artist: 0, which: 0 },
  REVERSE,
  { ...REVERSE, isAgain: true },
];

describe.each(ruleDatabases)('M4 the books on $name', ({ open }) => {
  // What a power cut would leave is another test's matter; this one commits thousands of times.
  const { database, api, useStaff } = useApiOnce(open);
  const staffId = useStaff();
  let runs = 0;
  const outcomes = new Set<string>();

  test('match the model after random operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40, size: 'max' }), async (commands) => {
        const artists = await Promise.all([0, 1, 2].map(addModelArtist));
        for (const each of commands) await run(each, artists);
        for (const each of artists) await compare(each);
        expect(await verifyLedger(database.db)).toEqual([]);
      }),
      { numRuns: RUNS, examples: [[EVERY_REVERSAL]] },
    );
    expect([...outcomes].toSorted()).toEqual(['again', 'reversed', 'unaffordable', 'unknown']);
  });

  async function addModelArtist(index: number): Promise<ModelArtist> {
    const username = `artist${(runs += 1)}`;
    // The third member never gets a payout.
    const isVerified = index < 2;
    const id = await addPayee(database, username, { is_personal_info_verified: isVerified });
    const email = toAddress(username);
    return { id, email, isVerified, earned: [], takenBack: [], rewardKeys: new Set(), requests: [] };
  }

  async function run(each: Command, artists: readonly ModelArtist[]): Promise<void> {
    if (each.do === 'wait') return api.clock.advance(each.days * DAY_MS);
    const model = artists[each.artist];
    if (model === undefined) throw new Error('no such artist');
    if (each.do === 'reward') await reward(model, each);
    else if (each.do === 'nonsense') await nonsense(model, each.yen);
    else if (each.do === 'request') await request(model, each);
    else if (each.do === 'reverse') await reverse(model, each);
    else await decide(model, each.do, each.which);
  }

  async function reward(model: ModelArtist, each: Extract<Command, { do: 'reward' }>): Promise<void> {
    const month = listMonths(toMonth(api.clock.now()), 4)[each.monthsAgo] ?? '2026-01';
    const atMs = Date.parse(`${month}-15T00:00:00Z`);
    const recording = recordReward(database.db, {
      artistId: model.id,
      yen: each.yen,
      downloads: each.downloads,
      atMs,
      reference: 'model',
      idempotencyKey: `${model.id} ${each.key}`,
    });
    if (each.yen === 0 && each.downloads === 0) return expect(recording).rejects.toThrow(RangeError);
    expect(await recording).toBe(!model.rewardKeys.has(each.key));
    if (model.rewardKeys.has(each.key)) return;
    model.rewardKeys.add(each.key);
    model.earned.push({ key: each.key, month, day: toDay(atMs), yen: each.yen, downloads: each.downloads });
  }

  async function nonsense(model: ModelArtist, yen: number): Promise<void> {
    if (Number.isInteger(yen) && yen >= 0 && yen <= 1e12) return;
    const reward = { artistId: model.id, yen, downloads: 1, atMs: 0, reference: '', idempotencyKey: 'x' };
    await expect(recordReward(database.db, reward)).rejects.toThrow(RangeError);
  }

  async function request(model: ModelArtist, each: Extract<Command, { do: 'request' }>): Promise<void> {
    const payable = toPayable(model);
    const headers: Record<string, string> = each.key === '' ? {} : { 'idempotency-key': each.key };
    const email = each.isOwnAddress ? model.email : 'another@example.test';
    const response = await askForPayout(api, model.id, { email }, headers);
    const known = model.requests.find((one) => one.key !== '' && one.key === each.key);
    if (known !== undefined) {
      expect(response.status).toBe(each.isOwnAddress ? 200 : 409);
      if (each.isOwnAddress) expect(await response.json()).toMatchObject({ amount: known.amount });
      return;
    }
    if (!each.isOwnAddress) return expect(response.status).toBe(400);
    if (model.requests.some(({ state }) => state === 'requested')) return expect(response.status).toBe(409);
    if (!model.isVerified || payable < PAYOUT_MIN_YEN) return expect(response.status).toBe(400);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ amount: payable });
    const open = { amount: payable, key: each.key, state: 'requested' as const };
    model.requests.push({ ...open, id: await findOpenPayoutId(database, model.id) });
  }

  async function reverse(model: ModelArtist, each: Extract<Command, { do: 'reverse' }>): Promise<void> {
    const from = each.isAgain ? model.takenBack : model.earned;
    const chosen = each.which === undefined ? undefined : from.at(each.which % Math.max(1, from.length));
    const reversal = { idempotencyKey: `${model.id} ${chosen?.key ?? 'nothing'}`, atMs: api.clock.now() };
    const payable = toPayable(model);
    const outcome = await database.db
      .transaction()
      .execute((transaction: Handle) => reverseReward(transaction, reversal));
    outcomes.add(outcome);
    if (chosen === undefined) return expect(outcome).toBe('unknown');
    if (each.isAgain) return expect(outcome).toBe('again');
    const left = isConfirmed(chosen) ? payable : toBalance(model);
    expect(outcome).toBe(chosen.yen <= left ? 'reversed' : 'unaffordable');
    if (outcome === 'unaffordable') return;
    model.earned.splice(model.earned.indexOf(chosen), 1);
    model.takenBack.push(chosen);
    expect(toPayable(model)).toBeLessThanOrEqual(payable);
    expect(toPayable(model)).toBeGreaterThanOrEqual(0);
  }

  async function decide(model: ModelArtist, what: 'pay' | 'refuse', which: number): Promise<void> {
    const chosen = model.requests.at(-1 - (which % Math.max(1, model.requests.length)));
    if (chosen === undefined) return;
    const deps = toPayoutDeps(database, api.clock);
    const deciding =
      what === 'pay' ? payPayout(deps, chosen.id, staffId) : refusePayout(deps, chosen.id, staffId, '理由');
    if (chosen.state !== 'requested') return expect(deciding).rejects.toMatchObject({ status: 409 });
    await deciding;
    chosen.state = what === 'pay' ? 'paid' : 'refused';
  }

  async function compare(model: ModelArtist): Promise<void> {
    const now = api.clock.now();
    const month = listMonths(toMonth(now), 2)[1] ?? '2026-01';
    const open = model.requests.find(({ state }) => state === 'requested');
    const ofMonth = model.earned.filter((one) => one.month === month);
    expect(await readFigures(database.db, model.id, now, month)).toMatchObject({
      reward_balance: toPayable(model),
      pending_reward: sum(model.earned.filter((one) => !isConfirmed(one)).map(({ yen }) => yen)),
      total_download_balance: sum(model.earned.map(({ downloads }) => downloads)),
      month_reward_balance: sum(ofMonth.map(({ yen }) => yen)),
      month_total_download_balance: sum(ofMonth.map(({ downloads }) => downloads)),
      transfer_request: open && { amount: open.amount },
    });
    expect(await readStatement(database.db, model.id, month)).toMatchObject({
      reward: sum(ofMonth.map(({ yen }) => yen)),
      downloads: sum(ofMonth.map(({ downloads }) => downloads)),
    });
  }

  function isConfirmed({ month, day }: ModelArtist['earned'][number]): boolean {
    const now = api.clock.now();
    return month < toMonth(now) && day < toDay(now) - 30;
  }

  function toPayable(model: ModelArtist): number {
    return toBalance(model) - sum(model.earned.filter((one) => !isConfirmed(one)).map(({ yen }) => yen));
  }

  function toBalance(model: ModelArtist): number {
    const gone = model.requests.filter(({ state }) => state !== 'refused').map(({ amount }) => amount);
    return sum(model.earned.map(({ yen }) => yen)) - sum(gone);
  }
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
