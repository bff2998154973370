import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toDay } from '#contract/values/months.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { DOWNLOAD_LIMITS_DEFAULT } from '#server/features/downloads/limits.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { listRows, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { addSoundOf, createVisitor, readEarned, toNewAddress } from '#support/sounds/downloads.ts';
import type { TestVisitor } from '#support/sounds/downloads.ts';
import { addPayee } from '#support/members/payouts.ts';

const SHORT = { downloads: 600, dayCount: 2 };
/** The rules are the same on PostgreSQL, which takes longer. */
const SEASONS = { sqlite: depth(SHORT, { downloads: 10_000, dayCount: 10 }), postgres: SHORT };
const DAY_MS = 86_400_000;
const YEN = 2;
const PUPILS = 30;

/** A seeded sequence of numbers from 0 to 1 (mulberry32), so that failures can be reproduced. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe.each(ruleDatabases)('a season on $name', ({ name, open }) => {
  const { downloads, dayCount } = SEASONS[name];

  test(
    `M6 of ${downloads} downloads credits at most what the rules allow, and refuses no honest visitor`,
    { timeout: 180_000 },
    async () => {
      const database = await open();
      onTestFinished(() => database.close());
      const rateLimits = createRateLimits(database);
      const api = createTestApi(database, { rewardYenPerDownload: YEN, rateLimits });
      // Rate limits use the machine's clock.
      vi.useFakeTimers({ toFake: ['Date'], now: api.clock.now() });
      onTestFinished(() => void vi.useRealTimers());
      const random = createRandom(6);
      const pick = <Item>(items: readonly Item[]): Item => {
        const item = items[Math.floor(random() * items.length)];
        if (item === undefined) throw new Error('nothing to pick from');
        return item;
      };
      const artists: { id: string; sounds: string[] }[] = [];
      for (let index = 0; index < 6; index += 1) {
        const id = await addPayee(database, `artist${index}`);
        const sounds = [];
        for (let made = 0; made < 10; made += 1) sounds.push(await addSoundOf(database, id));
        artists.push({ id, sounds });
      }
      const greedyArtist = pick(artists);
      const households = Array.from({ length: 120 }, () => {
        const address = toNewAddress();
        return [createVisitor(api, { address }), createVisitor(api, { address })];
      }).flat();
      const schoolAddress = toNewAddress();
      const school = Array.from({ length: PUPILS }, () => createVisitor(api, { address: schoolAddress }));
      // Four IPv4 /24 and two IPv6 /48, with every address in them available.
      const farm = [
        ...Array.from({ length: 4 }, () => toNewAddress().replace(/\d+$/, '')),
        '2001:db8:6:',
        '2001:db8:7:',
      ];
      const toFarmAddress = (network: string) => {
        const number = Math.floor(random() * 250);
        if (network.endsWith('.')) return `${network}${1 + number}`;
        return `${network}${number.toString(16)}::1`;
      };
      const keptFarmVisitors = farm.map((network) => createVisitor(api, { address: toFarmAddress(network) }));

      const honest = new Map<string, number>();
      const tally = (status: number | undefined) =>
        void honest.set(String(status), (honest.get(String(status)) ?? 0) + 1);
      const credited = new Set<string>();
      const inventedIds: string[] = [];
      const gapMs = (dayCount * DAY_MS) / downloads - 5_000;
      for (let done = 0; done < downloads; done += 1) {
        vi.setSystemTime(api.clock.now());
        if (done % Math.floor(downloads / dayCount) === 5) {
          // One lesson a day, in which all of them want two sounds.
          await attendLesson(0);
          await attendLesson(1);
          done += 2 * PUPILS - 1;
        } else if (random() < 0.6) {
          const who = Math.floor(random() * households.length);
          const sound = pick(pick(artists).sounds);
          tally(await download(api, households[who], sound, random));
          credited.add(`${who} ${sound}`);
        } else {
          await farmOnce();
        }
        api.clock.advance(gapMs);
      }

      /** Everyone behind one address starts, watches and receives the file at the same moments. */
      async function attendLesson(times: number): Promise<void> {
        const pupils = school.map((pupil, index) => {
          const { sounds } = artists[(index + times) % artists.length] ?? pick(artists);
          return { pupil, sound: pick(sounds), who: `pupil ${index}` };
        });
        const begun = await Promise.all(pupils.map(({ pupil, sound }) => pupil.tryToBegin(sound)));
        const ids = await Promise.all(
          begun.map(async (reply) => ((await reply.json()) as { id: string }).id),
        );
        const report = async (state: 'begin' | 'end') => {
          const replies = pupils.map(({ pupil }, index) => pupil.report(ids[index] ?? '', state));
          for (const { status } of await Promise.all(replies)) if (status !== 200) tally(status);
        };
        await report('begin');
        api.clock.advance(5_000);
        await report('end');
        for (const [index, { pupil, sound, who }] of pupils.entries()) {
          const ask = { log: true, provider: 'house', intent: ids[index] ?? '' } as const;
          tally((await pupil.ask(sound, ask)).status);
          credited.add(`${who} ${sound}`);
        }
      }

      /**
       * Discards cookies, changes addresses, repeats requests, skips or fakes the advertisement, watches two at
       * once, or downloads its own sounds.
       */
      async function farmOnce(): Promise<void> {
        const sound = pick(greedyArtist.sounds);
        const trick = random();
        const address = toFarmAddress(pick(farm));
        const memberId = trick < 0.05 ? greedyArtist.id : undefined;
        const visitor =
          trick < 0.3
            ? pick(keptFarmVisitors)
            : createVisitor(api, { address, ...(memberId && { memberId }) });
        if (trick > 0.95) {
          const { id } = await visitor.begin(sound);
          const ask = { log: true, provider: 'gpt', intent: id } as const;
          expect((await visitor.ask(sound, ask)).status).toBe(409);
          api.clock.advance(5_000);
          await Promise.all([visitor.ask(sound, ask), visitor.ask(sound, ask)]);
        } else if (trick > 0.9) {
          const { id } = await visitor.begin(sound);
          await visitor.report(id, 'begin', 'invented');
          const file = await visitor.ask(sound, { log: true, provider: 'house', intent: id });
          expect(file.status).toBe(200);
          inventedIds.push(id);
        } else if (trick > 0.85) {
          const begun = [];
          for (let tab = 0; tab < 2; tab += 1) begun.push(await visitor.begin(sound));
          for (const { id } of begun) await visitor.report(id, 'begin');
          api.clock.advance(5_000);
          const [first, second] = begun.map(
            ({ id }) => ({ log: true, provider: 'house', intent: id }) as const,
          );
          expect((await visitor.ask(sound, first)).status).toBe(409);
          expect((await visitor.ask(sound, second)).status).toBe(200);
        } else {
          await download(api, visitor, sound, random);
        }
      }

      const limits = DOWNLOAD_LIMITS_DEFAULT;
      const rows = await listRows(database, 'download_credits', { state: 'credited' }, [
        'visitor',
        'network',
        'artist_id',
        'sound_id',
        'created_at',
        'intent_id',
      ]);
      const most = (toKey: (row: (typeof rows)[number]) => string) => {
        const counts = new Map<string, number>();
        for (const row of rows) counts.set(toKey(row), (counts.get(toKey(row)) ?? 0) + 1);
        return Math.max(...counts.values());
      };
      const dayOf = (row: { created_at: number }) => toDay(row.created_at);
      expect(most((row) => `${row.visitor} ${row.sound_id}`)).toBe(1);
      expect(most((row) => `${row.visitor} ${dayOf(row)}`)).toBeLessThanOrEqual(limits.creditsPerVisitor);
      expect(most((row) => `${row.network} ${dayOf(row)}`)).toBeLessThanOrEqual(limits.creditsPerNetwork);
      expect(most((row) => `${row.network} ${row.artist_id} ${dayOf(row)}`)).toBe(
        limits.creditsPerNetworkAndArtist,
      );

      const invented = new Set(inventedIds);
      expect(invented.size).toBeGreaterThan(0);
      expect(rows.filter((row) => invented.has(row.intent_id))).toEqual([]);

      const days = dayCount + 1;
      const fromFarm = farm.length * days * limits.creditsPerNetworkAndArtist;
      const earned = await Promise.all(artists.map(({ id }) => readEarned(database, id)));
      const total = earned.reduce((sum, yen) => sum + yen, 0);
      expect(total).toBe(rows.length * YEN);
      expect(total).toBeLessThanOrEqual((credited.size + fromFarm) * YEN);
      // Honest visitors receive every file, and most of their downloads are credited.
      expect([...honest.keys()]).toEqual(['200']);
      expect(total).toBeGreaterThan(credited.size * YEN * 0.5);
      expect(await verifyLedger(database.db)).toEqual([]);
    },
  );
});

/**
 * A visitor downloads a sound. One in ten is shown no advertisement; some of the others watch a house notice, a few
 * of them with another tab in between. Returns the first answer other than 200, or that of the file.
 */
async function download(
  api: TestApi,
  visitor: TestVisitor | undefined,
  soundId: string,
  random: () => number,
): Promise<number | undefined> {
  const chance = random();
  if (chance < 0.75) return visitor?.download(soundId, chance < 0.1 ? { log: false } : {});
  const begun = await visitor?.tryToBegin(soundId);
  if (begun?.status !== 200) return begun?.status;
  const { id } = (await begun.json()) as { id: string };
  const looksAway = chance > 0.93;
  const steps = [
    { state: 'begin', waitMs: looksAway ? 2_000 : 5_000 },
    ...(looksAway
      ? ([
          { state: 'rest', waitMs: 30_000 },
          { state: 'begin', waitMs: 3_000 },
        ] as const)
      : []),
    { state: 'end', waitMs: 0 },
  ] as const;
  for (const { state, waitMs } of steps) {
    const report = await visitor?.report(id, state);
    if (report?.status !== 200) return report?.status;
    api.clock.advance(waitMs);
  }
  const file = await visitor?.ask(soundId, { log: true, provider: 'house', intent: id });
  return file?.status;
}
