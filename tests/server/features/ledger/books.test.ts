import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFigures } from '#server/features/ledger/figures.ts';
import {
  PAID_OUT,
  REWARDS,
  PAYOUTS_HELD,
  insertEntry,
  recordReward,
  toArtistAccount,
} from '#server/features/ledger/postings.ts';
import { readPayouts, payPayout, refusePayout } from '#server/features/ledger/payout-decisions.ts';
import { type PayoutDeps, requestPayout } from '#server/features/ledger/payout-requests.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { readMails } from '#support/members/accounts.ts';
import { bothDatabases, deleteRows, updateRows } from '#support/databases/databases.ts';
import {
  LAST_MONTH_MS,
  PAYOUT_DETAILS,
  addPayee,
  earn,
  toAddress,
  toPayoutDeps,
} from '#support/members/payouts.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const NOW_MS = Date.UTC(2026, 3, 1);

describe.each(bothDatabases)('the books on $name', ({ name, open }) => {
  const database = useDatabaseOnce(open);
  let deps: PayoutDeps;
  let staffId: string;
  let members = 0;

  beforeAll(async () => {
    deps = toPayoutDeps(database, createTestClock(NOW_MS));
    staffId = await addPayee(database, 'staff', { is_staff: true });
  });
  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  /** A member with an open request. */
  async function addAsker(yen: number) {
    const username = `prompting${(members += 1)}`;
    const id = await addPayee(database, username);
    await earn(database, id, yen);
    const receipt = await requestPayout(deps, id, { email: toAddress(username) });
    return { id, email: toAddress(username), requestId: receipt.id };
  }

  async function addAskers(count: number) {
    const askers = [];
    for (let made = 0; made < count; made++) askers.push(await addAsker(3_000));
    return askers;
  }

  const balanceOf = async (account: string) => {
    const found = everyTable(database.db)
      .selectFrom('ledger_accounts')
      .select('balance')
      .where('id', '=', account);
    return (await found.executeTakeFirstOrThrow()).balance;
  };
  const figuresOf = (userId: string) => readFigures(database.db, userId, NOW_MS);

  describe('decisions of the staff', () => {
    test('are listed with the transfer details until they are decided', async () => {
      const { id, requestId } = await addAsker(5_000);
      const listed = (await readPayouts(deps)).filter(({ user_id }) => user_id === id);
      const { phone_number: _, ...account } = PAYOUT_DETAILS;
      expect(listed).toMatchObject([{ id: requestId, amount: 5_000, state: 'requested', ...account }]);
      await payPayout(deps, requestId, staffId);
      expect((await readPayouts(deps)).map((request) => request.id)).not.toContain(requestId);
      expect((await readPayouts(deps, 'paid')).map((request) => request.id)).toContain(requestId);
    });

    test('pay out of the held amount, and the member is notified', async () => {
      const { id, email, requestId } = await addAsker(6_000);
      const [held, paid] = [await balanceOf(PAYOUTS_HELD), await balanceOf(PAID_OUT)];
      await payPayout(deps, requestId, staffId);
      expect(await balanceOf(PAYOUTS_HELD)).toBe(held - 6_000);
      expect(await balanceOf(PAID_OUT)).toBe(paid + 6_000);
      expect(await figuresOf(id)).toMatchObject({ reward_balance: 0, transfer_request: undefined });
      const subjects = (await readMails(database, email)).map(({ subject }) => subject);
      expect(subjects).toContain('【Otoichi】送金の手続きが完了しました');
    });

    test('return a refused amount, give the reason, and allow a new request', async () => {
      const { id, email, requestId } = await addAsker(6_000);
      await refusePayout(deps, requestId, staffId, '口座<名義>が一致しません。');
      expect(await figuresOf(id)).toMatchObject({ reward_balance: 6_000, transfer_request: undefined });
      const mail = (await readMails(database, email)).find(({ subject }) => subject.includes('できません'));
      expect(mail?.text).toContain('口座<名義>が一致しません。');
      expect(mail?.html).toContain('口座&lt;名義&gt;が一致しません。');
      await expect(requestPayout(deps, id, { email })).resolves.toMatchObject({ amount: 6_000 });
    });

    test('need a reason for a refusal, and an open request', async () => {
      const { requestId } = await addAsker(6_000);
      await expect(refusePayout(deps, requestId, staffId, '  ')).rejects.toMatchObject({ status: 400 });
      await expect(payPayout(deps, 'no such request', staffId)).rejects.toMatchObject({ status: 404 });
      await payPayout(deps, requestId, staffId);
    });

    test('M3 take effect once when two staff members each decide twice concurrently', async () => {
      const requests = await addAskers(20);
      const [held, paid] = [await balanceOf(PAYOUTS_HELD), await balanceOf(PAID_OUT)];
      let paidCount = 0;
      await Promise.all(
        requests.map(async ({ requestId }) => {
          const tries = await Promise.allSettled([
            payPayout(deps, requestId, staffId),
            refusePayout(deps, requestId, staffId, '重複'),
            payPayout(deps, requestId, staffId),
            refusePayout(deps, requestId, staffId, '重複'),
          ]);
          const lost = tries.filter((each) => each.status === 'rejected');
          expect(lost).toHaveLength(3);
          for (const { reason } of lost) expect(reason).toMatchObject({ status: 409 });
          if (tries[0].status === 'fulfilled' || tries[2].status === 'fulfilled') paidCount += 1;
        }),
      );
      expect(await balanceOf(PAYOUTS_HELD)).toBe(held - 60_000);
      expect(await balanceOf(PAID_OUT)).toBe(paid + paidCount * 3_000);
    });

    test('M4 work beside rewards and payouts of other members', async () => {
      const askers = await addAskers(8);
      await Promise.all(
        askers.flatMap(({ id, email, requestId }, index) => [
          earn(database, id, 4_000),
          index % 2 === 0
            ? payPayout(deps, requestId, staffId)
            : refusePayout(deps, requestId, staffId, '確認'),
          earn(database, id, 1, NOW_MS),
          requestPayout(deps, id, { email }).catch((error: unknown) =>
            expect(error).toHaveProperty('name', 'Problem'),
          ),
        ]),
      );
      expect(await verifyLedger(database.db)).toEqual([]);
      for (const [index, { id }] of askers.entries()) {
        const { reward_balance, transfer_request } = await figuresOf(id);
        const left = reward_balance + (transfer_request?.amount ?? 0);
        expect(left).toBe(index % 2 === 0 ? 4_000 : 7_000);
      }
    });
  });

  describe('a reward', () => {
    test('has one effect for one key', async () => {
      const artistId = await addPayee(database, 'once');
      const reward = { artistId, downloads: 2, yen: 30, atMs: LAST_MONTH_MS, reference: 'r' };
      const record = () =>
        database.db
          .transaction()
          .execute((transaction: Handle) => recordReward(transaction, { ...reward, idempotencyKey: 'same' }));
      const results = await Promise.all(Array.from({ length: 10 }, record));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await figuresOf(artistId)).toMatchObject({ reward_balance: 30, total_download_balance: 2 });
    });

    test('opens one account for an artist whose first rewards are concurrent', async () => {
      for (let round = 0; round < 20; round += 1) {
        const artistId = await addPayee(database, `first${round}`);
        await Promise.all(Array.from({ length: 10 }, () => earn(database, artistId, 1)));
        expect(await figuresOf(artistId)).toMatchObject({ reward_balance: 10, total_download_balance: 10 });
      }
    });

    test('of zero yen still counts its downloads, once', async () => {
      const artistId = await addPayee(database, 'unpaid');
      const reward = { artistId, downloads: 3, yen: 0, atMs: LAST_MONTH_MS, reference: 'r' };
      await recordReward(database.db, { ...reward, idempotencyKey: 'free' });
      await recordReward(database.db, { ...reward, idempotencyKey: 'free' });
      expect(await figuresOf(artistId)).toMatchObject({ reward_balance: 0, total_download_balance: 3 });
    });

    test('M7 is a whole number of yen and downloads', async () => {
      const artistId = await addPayee(database, 'nonsense');
      const reward = { artistId, downloads: 1, yen: 1, atMs: LAST_MONTH_MS, reference: 'r' };
      const nonsense = [-1, Number.NaN, Infinity, 0.1, 2 ** 53, '100' as unknown as number];
      for (const value of nonsense) {
        for (const wrong of [{ yen: value }, { downloads: value }, { yen: 0, downloads: 0 }]) {
          const recording = recordReward(database.db, { ...reward, ...wrong, idempotencyKey: `${value}` });
          await expect(recording).rejects.toThrow(RangeError);
        }
      }
      expect(await figuresOf(artistId)).toMatchObject({ reward_balance: 0, total_download_balance: 0 });
    });
  });

  describe('the tables', () => {
    const entry = { kind: 'reward' as const, reference: 'test', created_at: LAST_MONTH_MS };
    let artist: string;
    let keys = 0;

    beforeAll(async () => {
      const artistId = await addPayee(database, 'guarded');
      await earn(database, artistId, 100);
      artist = toArtistAccount(artistId);
    });

    const move = (from_account: string, to_account: string, amount: number) =>
      insertEntry(database.db, {
        ...entry,
        kind: 'transfer-requested',
        from_account,
        to_account,
        amount,
        idempotency_key: `tables ${(keys += 1)}`,
      });

    test('refuse an overdraft by any writer', async () => {
      await expect(move(artist, PAYOUTS_HELD, 101)).rejects.toThrow(/check/i);
      await expect(move(PAYOUTS_HELD, PAID_OUT, 10_000_000)).rejects.toThrow(/check/i);
      expect(await balanceOf(artist)).toBe(100);
    });

    test('refuse movements that are not whole yen', async () => {
      for (const amount of [0, -5, 1e13]) {
        await expect(move(REWARDS, artist, amount), String(amount)).rejects.toThrow(/check/i);
      }
      await expect(move(REWARDS, artist, 0.5)).rejects.toThrow();
      await expect(move(REWARDS, REWARDS, 5)).rejects.toThrow(/check/i);
      await expect(move(REWARDS, 'artist:nobody', 5)).rejects.toThrow(/foreign key/i);
      expect(await balanceOf(artist)).toBe(100);
    });

    test('refuse to change or delete rows', async () => {
      const { db } = database;
      await expect(updateRows({ db }, 'ledger_entries', { amount: 1 })).rejects.toThrow('append-only');
      await expect(deleteRows({ db }, 'ledger_entries')).rejects.toThrow('append-only');
      if (name === 'sqlite') {
        const replace = sql`insert or replace into ledger_entries select * from ledger_entries limit 1`;
        await expect(replace.execute(db)).rejects.toThrow('append-only');
      }
      if (name === 'postgres') {
        await expect(sql`truncate ledger_entries`.execute(db)).rejects.toThrow('append-only');
      }
    });

    test('refuse a second open request of a member', async () => {
      const { id } = await addAsker(3_000);
      const again = { id: 'again', user_id: id, amount: 1, email: '', state: 'requested' as const };
      const row = { ...again, idempotency_key: null, created_at: 1, decided_at: null, decided_by: null };
      await expect(
        everyTable(database.db).insertInto('transfer_requests').values(row).execute(),
      ).rejects.toThrow(/unique/i);
    });
  });

  test('M10 are reported with the place when they were edited by hand', async () => {
    const { id, requestId } = await addAsker(8_000);
    const { db } = database;
    const account = toArtistAccount(id);
    const edits = [
      [
        `account ${account}: balance 5, entries 0`,
        sql`update ledger_accounts set balance = 5 where id = ${account}`,
      ],
      [`month 2026-03 of ${id}`, sql`update artist_months set downloads = 9 where user_id = ${id}`],
      [`month 2026-03 of ${id}`, sql`delete from artist_months where user_id = ${id}`],
      [`day 20513 of ${id}`, sql`update artist_days set reward_yen = 9 where user_id = ${id}`],
      [`day 20513 of ${id}`, sql`delete from artist_days where user_id = ${id}`],
      [`transfer request ${requestId}`, sql`update transfer_requests set amount = 9 where id = ${requestId}`],
      [`transfer request ${requestId}`, sql`delete from transfer_requests where id = ${requestId}`],
      [
        `transfer request ${requestId}`,
        sql`update transfer_requests set state = 'paid', decided_at = 1 where id = ${requestId}`,
      ],
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
