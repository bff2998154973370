import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { toCallPath } from '#contract/calls/endpoint.ts';
import { toDay, toMonth } from '#contract/values/months.ts';
import { getStatement } from '#contract/payouts/statements.ts';
import { reverseCredit } from '#server/features/downloads/credit-reversal.ts';
import { selectCredits } from '#server/features/downloads/review-queries.ts';
import { readFigures } from '#server/features/ledger/figures.ts';
import { insertEntry, toArtistAccount } from '#server/features/ledger/postings.ts';
import { payPayout, refusePayout } from '#server/features/ledger/payout-decisions.ts';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases, deleteRows, getRow, listRows, updateRows } from '#support/databases/databases.ts';
import { addSoundOf, createVisitor, readDownloadCount, readVerdicts } from '#support/sounds/downloads.ts';
import { readActions } from '#support/members/profiles.ts';
import { addPayee, earn, findOpenPayoutId, toAddress, toPayoutDeps } from '#support/members/payouts.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const DAY_MS = 86_400_000;
const YEN = 4_000;
const NOTHING_LEFT = { name: 'Problem', status: 409, blocker: 'paid-out' };

describe.each(bothDatabases)('reversed credits on $name', ({ open }) => {
  const { database, api, useStaff } = useApiOnce(open, () => ({ rewardYenPerDownload: YEN }));
  const staffId = useStaff();
  let members = 0;

  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  async function addArtist() {
    const username = `artist${(members += 1)}`;
    const artistId = await addPayee(database, username);
    return { artistId, email: toAddress(username), soundId: await addSoundOf(database, artistId) };
  }
  const creditsOf = async (artistId: string) =>
    (await selectCredits(database.db, { state: 'credited', artistId }, 50)).map(({ id }) => id);
  async function addCredited(downloads = 1) {
    const artist = await addArtist();
    for (let time = 0; time < downloads; time += 1) await createVisitor(api).download(artist.soundId);
    const [creditId = ''] = await creditsOf(artist.artistId);
    return { ...artist, creditId };
  }
  const reverse = (creditId: string) =>
    reverseCredit({ database, clock: api.clock }, creditId, staffId, '不正なアクセス');
  const figuresOf = (artistId: string, month = toMonth(api.clock.now())) =>
    readFigures(database.db, artistId, api.clock.now(), month);
  const ask = ({ artistId, email }: { artistId: string; email: string }) =>
    requestPayout(toPayoutDeps(database, api.clock), artistId, { email });
  const actionsOn = async (id: string) =>
    (await readActions(database)).filter(({ subject }) => subject === id);

  test('M4 are removed from the figures, the statement and the books, and are on record', async () => {
    const { artistId, soundId, creditId } = await addCredited(3);
    const other = await addSoundOf(database, artistId);
    await createVisitor(api).download(other);
    await reverse(creditId);
    expect(await figuresOf(artistId)).toMatchObject({
      reward_balance: 0,
      pending_reward: 3 * YEN,
      total_download_balance: 3,
      month_reward_balance: 3 * YEN,
      month_total_download_balance: 3,
    });
    const month = toMonth(api.clock.now());
    expect(await api.json(toCallPath(getStatement, { month }), artistId)).toMatchObject({
      reward: 3 * YEN,
      downloads: 3,
      sounds: [
        { sound_id: soundId, reward: 2 * YEN, downloads: 2 },
        { sound_id: other, reward: YEN, downloads: 1 },
      ],
    });
    expect((await readVerdicts(database, soundId)).toSorted()).toEqual([
      'credited',
      'credited',
      '不正なアクセス',
    ]);
    // The file was served.
    expect(await readDownloadCount(database, soundId)).toBe(3);
    expect(await actionsOn(creditId)).toEqual([
      { staff_id: staffId, action: 'reverse credit', subject: creditId, note: '不正なアクセス' },
    ]);
    const { credits } = await getRow(database, 'download_counts', { subject: `artist:${artistId}` });
    expect(credits).toBe(3);
    expect(await verifyLedger(database.db)).toEqual([]);
  });

  test('are booked on the month and day they were earned: no payout grows when those are confirmed', async () => {
    const { artistId, creditId } = await addCredited(2);
    const earnedIn = toMonth(api.clock.now());
    const lastDay = toDay(api.clock.now()) + 80;
    api.clock.advance(20 * DAY_MS);
    await reverse(creditId);
    expect(await figuresOf(artistId, earnedIn)).toMatchObject({ month_reward_balance: YEN });
    const seen = [];
    while (toDay(api.clock.now()) < lastDay) {
      const { reward_balance, pending_reward } = await figuresOf(artistId);
      expect(reward_balance + pending_reward).toBe(YEN);
      seen.push(reward_balance);
      api.clock.advance(DAY_MS);
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen)).toEqual(new Set([0, YEN]));
  });

  test('reduce the payable balance once it is confirmed', async () => {
    const artist = await addCredited(2);
    api.clock.advance(70 * DAY_MS);
    expect(await figuresOf(artist.artistId)).toMatchObject({ reward_balance: 2 * YEN });
    await reverse(artist.creditId);
    expect(await figuresOf(artist.artistId)).toMatchObject({ reward_balance: YEN, pending_reward: 0 });
    expect(await ask(artist)).toMatchObject({ amount: YEN });
  });

  test('M4 are refused after a payout, also a held one, and are not taken from pending earnings', async () => {
    const artist = await addCredited();
    const { artistId, creditId, soundId } = artist;
    api.clock.advance(70 * DAY_MS);
    await ask(artist);
    await expect(reverse(creditId)).rejects.toMatchObject(NOTHING_LEFT);
    const requestId = await findOpenPayoutId(database, artistId);
    await payPayout(toPayoutDeps(database, api.clock), requestId, staffId);
    await expect(reverse(creditId)).rejects.toMatchObject(NOTHING_LEFT);
    await earn(database, artistId, YEN - 1, api.clock.now() - 70 * DAY_MS);
    await createVisitor(api).download(soundId);
    await expect(reverse(creditId)).rejects.toMatchObject(NOTHING_LEFT);
    expect(await figuresOf(artistId)).toMatchObject({ reward_balance: YEN - 1, pending_reward: YEN });
    expect(await readVerdicts(database, soundId)).toEqual(['credited', 'credited']);
    expect(await actionsOn(creditId)).toEqual([]);
    // Pending credits can be reversed.
    const [newest = ''] = await creditsOf(artistId);
    await reverse(newest);
    expect(await figuresOf(artistId)).toMatchObject({ reward_balance: YEN - 1, pending_reward: 0 });
  });

  test('can be reversed after the payout was refused', async () => {
    const artist = await addCredited();
    api.clock.advance(70 * DAY_MS);
    const { id } = await ask(artist);
    await refusePayout(toPayoutDeps(database, api.clock), id, staffId, '確認');
    await reverse(artist.creditId);
    expect(await figuresOf(artist.artistId)).toMatchObject({ reward_balance: 0, total_download_balance: 0 });
  });

  test('M4 take effect once when twenty reversals run concurrently', async () => {
    const { artistId, creditId } = await addCredited(2);
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => reverse(creditId)));
    const lost = tries.filter((each) => each.status === 'rejected');
    expect(lost).toHaveLength(19);
    for (const { reason } of lost) expect(reason).toMatchObject({ status: 409, blocker: 'not-credited' });
    expect(await figuresOf(artistId)).toMatchObject({ pending_reward: YEN, total_download_balance: 1 });
    expect(await actionsOn(creditId)).toHaveLength(1);
  });

  test('M4 are either paid or reversed, never both, when a payout and a reversal run concurrently', async () => {
    const artists = [];
    for (let made = 0; made < 8; made += 1) artists.push(await addCredited(2));
    api.clock.advance(70 * DAY_MS);
    await Promise.all(
      artists.flatMap((artist) => [
        ask(artist),
        reverse(artist.creditId).catch((error: unknown) => expect(error).toMatchObject(NOTHING_LEFT)),
        earn(database, artist.artistId, 1, api.clock.now()),
      ]),
    );
    for (const { artistId, creditId } of artists) {
      const { reward_balance, pending_reward, transfer_request, total_download_balance } =
        await figuresOf(artistId);
      const isReversed = !(await creditsOf(artistId)).includes(creditId);
      expect(transfer_request?.amount).toBe(isReversed ? YEN : 2 * YEN);
      expect([reward_balance, pending_reward, total_download_balance]).toEqual([0, 1, isReversed ? 2 : 3]);
    }
    expect(await verifyLedger(database.db)).toEqual([]);
  });

  test('of zero yen are removed from the counted downloads', async () => {
    const { artistId, soundId } = await addArtist();
    const free = createTestApi(database, { rewardYenPerDownload: 0 });
    free.clock.advance(api.clock.now() - free.clock.now());
    await createVisitor(free).download(soundId);
    const [creditId = ''] = await creditsOf(artistId);
    await reverse(creditId);
    expect(await figuresOf(artistId)).toMatchObject({ total_download_balance: 0, pending_reward: 0 });
  });

  test('require staff, a reason, and a booked credit', async () => {
    const { artistId, creditId } = await addCredited();
    const deps = { database, clock: api.clock };
    await expect(reverseCredit(deps, creditId, artistId, '理由')).rejects.toMatchObject({ status: 403 });
    await expect(reverseCredit(deps, creditId, staffId, ' ')).rejects.toMatchObject({ status: 400 });
    await expect(reverse('no such credit')).rejects.toMatchObject({ status: 404 });
    await updateRows(database, 'download_credits', { state: 'held' }, { id: creditId });
    await expect(reverse(creditId)).rejects.toMatchObject({ status: 409, blocker: 'not-credited' });
    await updateRows(database, 'download_credits', { state: 'credited' }, { id: creditId });
  });

  test('mirror exactly one reward, for any writer', async () => {
    const { artistId, creditId } = await addCredited(2);
    await reverse(creditId);
    const { db } = database;
    const rewards = await listRows({ db }, 'ledger_entries', { to_account: toArtistAccount(artistId) });
    const taken = await everyTable(db)
      .selectFrom('ledger_entries')
      .select('reverses')
      .where('reverses', 'is not', null)
      .execute();
    const isTaken = (id: string) => taken.some(({ reverses }) => reverses === id);
    const free = rewards.find(({ id }) => !isTaken(id));
    const gone = rewards.find(({ id }) => isTaken(id));
    if (free === undefined || gone === undefined) throw new Error('no such rewards');
    const { id: reverses, month, reference, amount, downloads } = free;
    const [from_account, to_account] = [free.to_account, free.from_account];
    const whole = { kind: 'reward-reversed', from_account, to_account, amount, downloads } as const;
    const mirror = { ...whole, month, reference, reverses, created_at: 1, idempotency_key: 'by hand' };
    for (const wrong of [
      { amount: amount - 1 },
      { downloads: 0 },
      { month: '2020-01' },
      { reference: 'other' },
      { from_account: 'transfers-held' },
      { to_account: 'paid-out' },
      { reverses: 'no such entry' },
    ]) {
      await expect(insertEntry(db, { ...mirror, ...wrong }), JSON.stringify(wrong)).rejects.toThrow(
        /mirrors/,
      );
    }
    await expect(insertEntry(db, { ...mirror, reverses: null })).rejects.toThrow(/mirrors|check/i);
    await expect(insertEntry(db, { ...mirror, kind: 'reward' })).rejects.toThrow(/check/i);
    await expect(insertEntry(db, { ...mirror, reverses: gone.id })).rejects.toThrow(/unique/i);
    await expect(deleteRows({ db }, 'ledger_entries')).rejects.toThrow('append-only');
  });

  test('M10 are reported when edited by hand, as are credits without a reward or with two', async () => {
    const { artistId, creditId } = await addCredited(2);
    const kept = (await creditsOf(artistId)).find((id) => id !== creditId) ?? '';
    await reverse(creditId);
    const { db } = database;
    const day = toDay(api.clock.now());
    const edits = [
      [`download ${kept}`, sql`update download_credits set yen = 1 where id = ${kept}`],
      [`download ${kept}`, sql`update download_credits set state = 'reversed' where id = ${kept}`],
      [`download ${kept}`, sql`update download_credits set sound_id = 'x' where id = ${kept}`],
      [`download ${kept}`, sql`update download_credits set intent_id = 'x' where id = ${kept}`],
      [`download ${creditId}`, sql`update download_credits set state = 'credited' where id = ${creditId}`],
      ['download ', sql`update download_credits set state = 'refused' where id = ${kept}`],
      ['download ', sql`delete from download_credits where id = ${creditId}`],
      [
        `day ${day} of ${artistId}`,
        sql`update artist_days set reward_yen = ${2 * YEN} where user_id = ${artistId}`,
      ],
      [`of ${artistId}`, sql`update artist_months set downloads = 2 where user_id = ${artistId}`],
    ] as const;
    for (const [problem, edit] of edits) {
      const undone = db.transaction().execute(async (transaction: Handle) => {
        await edit.execute(transaction);
        throw new Error((await verifyLedger(transaction)).join('\n'));
      });
      await expect(undone).rejects.toThrow(problem);
    }
    expect(await verifyLedger(db)).toEqual([]);
  });
});
