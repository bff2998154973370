import { afterAll, describe, expect, test } from 'vitest';
import { findFarmedArtists } from '#server/features/downloads/farms.ts';
import { addToCounts, readArtistDays, toArtistSubject } from '#server/features/downloads/counts.ts';
import { type DownloadLimits, DOWNLOAD_LIMITS_DEFAULT } from '#server/features/downloads/limits.ts';
import { approveHeldCredits } from '#server/features/downloads/review-many.ts';
import { toAllowance } from '#server/features/downloads/rules.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { getRow, openTestDatabase } from '#support/databases/databases.ts';
import { addArtist, addSoundOf, createVisitor } from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;
/** More than any cap except that of the whole site. */
const ASKED = 150;
const limits = DOWNLOAD_LIMITS_DEFAULT;

/** The credits of one day of downloads, at one yen each. The rules are the same on PostgreSQL. */
describe('a day of downloads', () => {
  const { database, api, useStaff } = useApiOnce(() => openTestDatabase('sqlite'));
  const staffId = useStaff();

  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  /** Each download is by a browser without a cookie, at the next address, on a new day without other downloads. */
  async function farm(
    toAddress: (index: number) => string,
    soundIds: readonly string[],
    asked = ASKED,
    at = api,
  ) {
    at.clock.advance(DAY_MS);
    const sinceMs = at.clock.now();
    for (let index = 0; index < asked; index += 1) {
      const visitor = createVisitor(at, { address: toAddress(index) });
      expect(await visitor.download(soundIds[index % soundIds.length] ?? '')).toBe(200);
    }
    const rows = await everyTable(database.db)
      .selectFrom('download_credits')
      .select('state')
      .where('sound_id', 'in', soundIds)
      .where('created_at', '>=', sinceMs)
      .execute();
    const count = (state: string) => rows.filter((row) => row.state === state).length;
    return { credited: count('credited'), held: count('held'), refused: count('refused') };
  }

  async function addSounds(artists: number, soundsOfEach: number): Promise<string[]> {
    const soundIds: string[] = [];
    for (let artist = 0; artist < artists; artist += 1) {
      const { artistId, soundId } = await addArtist(database);
      soundIds.push(soundId);
      for (let made = 1; made < soundsOfEach; made += 1) soundIds.push(await addSoundOf(database, artistId));
    }
    return soundIds;
  }

  const toHex = (number: number) => number.toString(16);
  const of64s = (index: number) => `2001:db8:48:${toHex(index * 256)}::1`;
  const of48s = (index: number) => `2001:db9:${toHex(index + 1)}::1`;
  const ofBotnet = (index: number) => `${11 + (index % 80)}.${1 + Math.floor(index / 80)}.7.8`;

  test('on one /48 earns at most the cap of one network', async () => {
    const earned = await farm(of64s, await addSounds(1, 1));
    expect(earned).toEqual({ credited: 5, held: 45, refused: 100 });
  });

  test('on one /48 with many artists earns at most the cap of one network', async () => {
    const earned = await farm(of64s, await addSounds(30, 1));
    expect(earned).toEqual({ credited: limits.creditsPerNetwork, held: 90, refused: 0 });
  });

  test.each([
    ['one IPv6 /32', of48s],
    ['one IPv4 /16', (index: number) => `10.0.${index}.1`],
  ])('on %s earns half of what an artist may', async (_, toAddress) => {
    const earned = await farm(toAddress, await addSounds(1, 1));
    expect(earned).toEqual({
      credited: limits.heldAbove / 2,
      held: ASKED - limits.heldAbove / 2,
      refused: 0,
    });
  });

  test('on one /32 with many artists earns at most the cap of all networks of a provider', async () => {
    const few = createLimited({ creditsPerProvider: 100 }, 1_000);
    const earned = await farm(of48s, await addSounds(10, 1), 110, few);
    expect(earned).toEqual({ credited: 100, held: 10, refused: 0 });
  });

  test('of a botnet earns at most the allowance of a new artist, for any number of sounds', async () => {
    expect(await farm(ofBotnet, await addSounds(1, 1))).toMatchObject({ credited: limits.heldAbove });
    expect(await farm(ofBotnet, await addSounds(1, 20))).toMatchObject({ credited: limits.heldAbove });
  });

  test('of a botnet with many artists earns at most the cap of the site', async () => {
    const small = createLimited({ creditsPerSite: 100 }, 2_000);
    const earned = await farm(ofBotnet, await addSounds(5, 1), 110, small);
    expect(earned).toEqual({ credited: 100, held: 10, refused: 0 });
  });

  /** Uses separate days. */
  function createLimited(downloadLimits: Partial<DownloadLimits>, days: number): TestApi {
    const limited = createTestApi(database, { downloadLimits });
    limited.clock.advance(days * DAY_MS);
    return limited;
  }

  test('of a viral sound loses nothing: the staff can book all that is held', async () => {
    const [soundId = ''] = await addSounds(1, 1);
    const outcome = await farm(toHonestAddress, [soundId], 400);
    expect(outcome).toEqual({ credited: limits.heldAbove, held: 400 - limits.heldAbove, refused: 0 });
    const { artist_id: artistId } = await getRow(database, 'sounds', { id: soundId });
    const { credits } = await approveHeldCredits({ database, clock: api.clock }, { artistId }, staffId);
    expect(credits).toBe(400 - limits.heldAbove);
    // The next day is as large and is credited at once.
    expect(await farm(toHonestAddress, [soundId], 400)).toEqual({ credited: 400, held: 0, refused: 0 });
  });

  test('of an artist whose sounds a few dozen people like is credited in full', async () => {
    expect(await farm(toHonestAddress, await addSounds(1, 3), 45)).toEqual({
      credited: 45,
      held: 0,
      refused: 0,
    });
  });

  /** The number of held downloads for each day's count, in order. The rest is credited, as it would be by requests. */
  async function grow(toAsked: (day: number, allowance: number) => number, days: number) {
    const { artistId } = await addArtist(database);
    const credited: number[] = [];
    let held = 0;
    for (let day = 0; day < days; day += 1) {
      const nowMs = api.clock.now() + day * DAY_MS;
      const allowance = toAllowance(await readArtistDays(database.db, artistId, nowMs), limits);
      const asked = toAsked(day, allowance);
      const credits = Math.min(asked, allowance);
      held += asked - credits;
      credited.push(credits);
      await addToCounts(database.db, [toArtistSubject(artistId)], { counted: 0, credits }, nowMs);
    }
    return { credited, held };
  }

  test('that uses all of its allowance every day has three times as much after 46 days, up to the cap', async () => {
    const { credited } = await grow((_, allowance) => allowance, 200);
    expect([0, 28, 45, 46, 91, 92, 137, 138, 199].map((day) => credited[day])).toEqual([
      50, 50, 50, 150, 150, 450, 450, 1_000, 1_000,
    ]);
  });

  test('that grows a little every day, or in bursts, gains nothing by it', async () => {
    const { credited } = await grow((day, allowance) => (day % 15 < 7 ? allowance : 0), 200);
    expect(Math.max(...credited)).toBe(limits.heldAbove);
  });

  test('of an artist whose downloads double each month is credited in full', async () => {
    const { credited, held } = await grow((day) => Math.round(5 * 2 ** (day / 30)), 220);
    expect(credited.at(-1)).toBeGreaterThan(700);
    expect(held).toBe(0);
  });
});

/**
 * Networks of visitors. Of twenty, six use three mobile carriers by IPv6, five the carriers' NAT, nine lines of
 * forty providers. The addresses are always the same.
 */
function toHonestAddress(index: number): string {
  const mixed = Math.imul(index + 1, 2_654_435_761) >>> 0;
  const kind = index % 20;
  if (kind < 6) return `2400:${kind % 3}:${(mixed % 4_096).toString(16)}:${(mixed >>> 20).toString(16)}::1`;
  if (kind < 11)
    return `${100 + (kind % 3)}.${mixed % 4}.${(mixed >>> 8) % 64}.${1 + ((mixed >>> 16) % 250)}`;
  return `${150 + (mixed % 40)}.${(mixed >>> 6) % 200}.${(mixed >>> 14) % 250}.${1 + ((mixed >>> 22) % 250)}`;
}

describe('artists who live on the same networks', () => {
  const { database, api } = useApiOnce(() => openTestDatabase('sqlite'));

  /** Credits of a new day: `toNetwork` says from where each one of each artist is. */
  async function findAfter(
    artists: number,
    creditsOfEach: number,
    toNetwork: (artist: number, credit: number) => string,
  ) {
    api.clock.advance(3 * DAY_MS);
    const artistIds: string[] = [];
    for (let artist = 0; artist < artists; artist += 1) {
      const { artistId, soundId } = await addArtist(database);
      artistIds.push(artistId);
      const credits = Array.from({ length: creditsOfEach }, (_, credit) => ({
        id: `${soundId} ${credit}`,
        intent_id: `${soundId} ${credit}`,
        sound_id: soundId,
        artist_id: artistId,
        visitor: null,
        user_id: null,
        network: toNetwork(artist, credit),
        state: 'credited' as const,
        reason: '',
        is_counted: 1 as const,
        yen: 1,
        created_at: api.clock.now(),
        decided_at: null,
        decided_by: null,
      }));
      await everyTable(database.db).insertInto('download_credits').values(credits).execute();
    }
    const found = await findFarmedArtists(database.db, api.clock.now());
    return { found: found.length, isAll: artistIds.every((id) => found.includes(id)) };
  }

  test('M6 are found if twenty networks earn the allowance for each of twelve', async () => {
    expect(await findAfter(12, 50, (_, credit) => `farm ${credit % 20}`)).toEqual({ found: 12, isAll: true });
  });

  test.each<
    [what: string, artists: number, credits: number, toNetwork: (artist: number, credit: number) => string]
  >([
    [
      'an audience that downloads from all of them',
      12,
      50,
      (artist, credit) => `home ${(credit * 5 + (artist % 5)) % 250}`,
    ],
    ['two artists with a class as their audience', 2, 50, (_, credit) => `class ${credit % 12}`],
    [
      'a carrier with half of the audience',
      12,
      50,
      (artist, credit) => (credit % 2 ? `carrier ${credit % 7}` : `home ${artist} ${credit}`),
    ],
    ['a few downloads', 12, 10, (_, credit) => `school ${credit % 3}`],
  ])('are not taken for a farm: %s', async (_, artists, credits, toNetwork) => {
    expect(await findAfter(artists, credits, toNetwork)).toMatchObject({ found: 0 });
  });
});
