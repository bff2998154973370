import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toDay } from '#contract/values/months.ts';
import { approveCredit, listHeldCredits, rejectCredit } from '#server/features/downloads/review.ts';
import { approveHeldCredits } from '#server/features/downloads/review-many.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { deleteSoundsOf } from '#server/features/my-sounds/deletion.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { createTestApi } from '#support/http/api.ts';
import { insertMany, ruleDatabases } from '#support/databases/databases.ts';
import {
  addArtist,
  createVisitor,
  readDownloadCount,
  readEarned,
  readVerdicts,
} from '#support/sounds/downloads.ts';
import { addPayee } from '#support/members/payouts.ts';
import { readActions } from '#support/members/profiles.ts';

const DAY_MS = 86_400_000;

describe.each(ruleDatabases)('a sudden crowd on $name', ({ open }) => {
  const database = useDatabaseOnce(open);
  let staffId: string;

  beforeAll(async () => {
    staffId = await addPayee(database, 'staff', { is_staff: true });
  });
  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  /** An artist with two credits today; a third would exceed the allowance. */
  async function addCrowded() {
    const strict = createTestApi(database, {
      downloadLimits: { heldAbove: 2, heldAboveUsual: 1 },
      rewardYenPerDownload: 3,
    });
    const artist = await addArtist(database);
    const download = () => createVisitor(strict).download(artist.soundId);
    await download();
    await download();
    return { ...artist, strict, download };
  }

  async function findHeld(artistSoundId: string): Promise<string> {
    const held = await listHeldCredits({ database });
    return held.find(({ sound_id }) => sound_id === artistSoundId)?.id ?? '';
  }

  test('is held for the staff, who book it at the yen rate of that time', async () => {
    const { artistId, soundId, strict, download } = await addCrowded();
    expect(await download()).toBe(200);
    expect(await readVerdicts(database, soundId)).toEqual(['credited', 'credited', 'velocity']);
    expect(await readEarned(database, artistId)).toBe(6);
    expect(await readDownloadCount(database, soundId)).toBe(3);
    const deps = { database, clock: strict.clock };
    const id = await findHeld(soundId);
    const tries = await Promise.allSettled([
      approveCredit(deps, id, staffId),
      approveCredit(deps, id, staffId),
      rejectCredit(deps, id, staffId, 'だめ'),
    ]);
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await readVerdicts(database, soundId)).toEqual(['credited', 'credited', 'credited']);
    expect(await readEarned(database, artistId)).toBe(9);
    expect(await readDownloadCount(database, soundId)).toBe(3);
  });

  test('that is rejected stays unpaid and on record, and counts as used for its visitor', async () => {
    const { artistId, soundId, strict } = await addCrowded();
    const visitor = createVisitor(strict);
    await visitor.download(soundId);
    const id = await findHeld(soundId);
    await rejectCredit(strict.deps, id, staffId, '同じ人です');
    expect(await readActions(database)).toContainEqual(
      expect.objectContaining({ action: 'reject credit', subject: id, note: '同じ人です' }),
    );
    strict.clock.advance(3 * DAY_MS);
    await visitor.download(soundId);
    expect((await readVerdicts(database, soundId)).at(-1)).toBe('repeat');
    expect(await readEarned(database, artistId)).toBe(6);
  });

  test('is decided only by the staff, with a reason, and only while it is held', async () => {
    const { artistId, soundId, strict, download } = await addCrowded();
    await download();
    const deps = { database, clock: strict.clock };
    const id = await findHeld(soundId);
    await expect(approveCredit(deps, id, artistId)).rejects.toMatchObject({ status: 403 });
    await expect(rejectCredit(deps, id, staffId, ' ')).rejects.toMatchObject({ status: 400 });
    await expect(approveCredit(deps, 'nothing', staffId)).rejects.toMatchObject({ status: 404 });
    await rejectCredit(deps, id, staffId, '理由');
    await expect(approveCredit(deps, id, staffId)).rejects.toMatchObject({ status: 409 });
  });

  /** Credits on the given number of days before today, inserted as if earned then. */
  async function addDays(artistId: string, nowMs: number, days: readonly number[]): Promise<void> {
    const today = toDay(nowMs);
    const row = { subject: `artist:${artistId}`, downloads: 0, counted: 0 };
    await insertMany(
      database,
      'download_counts',
      days.map((credits, index) => ({ ...row, day: today - 1 - index, credits })),
    );
  }
  const lastVerdict = async (soundId: string) => (await readVerdicts(database, soundId)).at(-1);

  test('is not held for an artist with as many on more than half of 90 days', async () => {
    const { artistId, soundId, strict, download } = await addCrowded();
    await addDays(artistId, strict.clock.now(), Array<number>(46).fill(4));
    await download();
    await download();
    expect(await readVerdicts(database, soundId)).toEqual(Array.from({ length: 4 }, () => 'credited'));
    await download();
    expect(await lastVerdict(soundId)).toBe('velocity');
  });

  test('is held even after weeks of crowds, and beyond the maximum for any artist', async () => {
    const weeks = await addCrowded();
    await addDays(weeks.artistId, weeks.strict.clock.now(), Array<number>(45).fill(1_000));
    await weeks.download();
    expect(await lastVerdict(weeks.soundId)).toBe('velocity');

    const capped = createTestApi(database, { downloadLimits: { creditsPerArtist: 1 } });
    const { soundId } = await addArtist(database);
    await createVisitor(capped).download(soundId);
    await createVisitor(capped).download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['credited', 'artist-day']);
  });

  test('that the staff approved is not held again for 30 days', async () => {
    const { artistId, soundId, strict, download } = await addCrowded();
    await download();
    await download();
    const { clock } = strict;
    await approveHeldCredits({ database, clock }, { artistId }, staffId);
    clock.advance(30 * DAY_MS);
    for (let time = 0; time < 5; time += 1) await download();
    expect((await readVerdicts(database, soundId)).slice(4)).toEqual([
      ...Array.from({ length: 4 }, () => 'credited'),
      'velocity',
    ]);
    clock.advance(DAY_MS);
    for (let time = 0; time < 3; time += 1) await download();
    expect(await lastVerdict(soundId)).toBe('velocity');
  });

  test('can be approved after the sound was deleted', async () => {
    const { artistId, soundId, strict, download } = await addCrowded();
    await download();
    const id = await findHeld(soundId);
    await deleteSoundsOf(strict.deps, artistId);
    await approveCredit(strict.deps, id, staffId);
    expect(await readEarned(database, artistId)).toBe(9);
  });
});
