import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listMonths } from '#contract/values/months.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { readFigures } from '#server/features/ledger/figures.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { readMails } from '#support/members/accounts.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { type TestLocation, bothDatabases, listRows } from '#support/databases/databases.ts';
import {
  LAST_MONTH_MS,
  PAYOUT_DETAILS,
  addPayee,
  askForPayout,
  earn,
  toAddress,
} from '#support/members/payouts.ts';

const KEY = 'idempotency-key';

describe.each(bothDatabases)('requesting a payout on $name', ({ name, locate }) => {
  let place: TestLocation;
  let database: Database;
  let api: TestApi;
  let member = 0;

  beforeAll(async () => {
    place = await locate();
    database = await openDatabase(place.location);
    api = createTestApi(database);
  });
  afterAll(async () => {
    expect(await verifyLedger(database.db)).toEqual([]);
    await database.close();
    await place.remove();
  });

  /** A separate member for each test, with a verified address. */
  async function addEarner(yen: number, changes: Parameters<typeof addPayee>[2] = {}) {
    const username = `member${(member += 1)}`;
    const id = await addPayee(database, username, changes);
    if (yen > 0) await earn(database, id, yen);
    return { id, username, email: toAddress(username) };
  }

  async function countRequests(userId: string): Promise<number> {
    const rows = await listRows(database, 'transfer_requests', { user_id: userId }, ['id']);
    return rows.length;
  }

  const figuresOf = (userId: string) => readFigures(database.db, userId, api.clock.now());

  test('pays what was earned until last month, and keeps this month’s earnings', async () => {
    const { id, email } = await addEarner(3_000);
    await earn(database, id, 1_234, api.clock.now());
    expect(await figuresOf(id)).toMatchObject({ reward_balance: 3_000, transfer_request: undefined });

    await expectReply(askForPayout(api, id, { email }), 200, {
      detail: '送金依頼を受け付けました。',
      amount: 3_000,
      requested_at: new Date(api.clock.now()).toISOString(),
    });
    expect(await figuresOf(id)).toMatchObject({
      reward_balance: 0,
      transfer_request: { amount: 3_000, requested_at: new Date(api.clock.now()).toISOString() },
    });
  });

  test('closes a month by Japanese time', async () => {
    const { id } = await addEarner(0);
    await earn(database, id, 10, Date.UTC(2026, 2, 31, 14, 59));
    await earn(database, id, 100, Date.UTC(2026, 2, 31, 15, 0));
    const atOnce = await readFigures(database.db, id, api.clock.now(), undefined, 0);
    expect(atOnce).toMatchObject({ reward_balance: 10, pending_reward: 100, pending_days: 0 });
  });

  test('keeps earnings younger than 30 whole days, and reports their sum', async () => {
    const { id, email } = await addEarner(0);
    // It is 09:00 on April 1 in Japan; March 2 ended less than 30 days ago.
    await earn(database, id, 3_000, Date.UTC(2026, 2, 1, 14, 59));
    await earn(database, id, 500, Date.UTC(2026, 2, 1, 15, 0));
    await earn(database, id, 20, api.clock.now());
    const figures = { reward_balance: 3_000, pending_reward: 520, pending_days: 30 };
    expect(await figuresOf(id)).toMatchObject(figures);
    expect(await api.json('/api/account/profile/', id)).toMatchObject(figures);
    expect(await (await askForPayout(api, id, { email })).json()).toMatchObject({ amount: 3_000 });
    expect(await figuresOf(id)).toMatchObject({ ...figures, reward_balance: 0 });

    const tomorrow = api.clock.now() + 86_400_000;
    expect(await readFigures(database.db, id, tomorrow)).toMatchObject({ reward_balance: 500 });
    // This month's earnings wait for its end as well, however short the waiting period.
    const lastOfApril = Date.UTC(2026, 3, 30, 14, 59);
    expect(await readFigures(database.db, id, lastOfApril, undefined, 5)).toMatchObject({
      reward_balance: 500,
      pending_reward: 20,
    });
    expect(await readFigures(database.db, id, lastOfApril + 60_000, undefined, 5)).toMatchObject({
      reward_balance: 520,
      pending_reward: 0,
    });
  });

  test('reports when waiting earnings join the balance, and how much is from last month', async () => {
    const { id } = await addEarner(100);
    const now = api.clock.now();
    // 09:00 on April 1 in Japan.
    await earn(database, id, 500, Date.UTC(2026, 2, 1, 15, 0));
    await earn(database, id, 30, Date.UTC(2026, 2, 31, 14, 59));
    await earn(database, id, 4, now);
    const pending_release = {
      until_last_month: 530,
      next_on: '2026-04-02',
      next_amount: 500,
      last_on: '2026-05-02',
    };
    expect(await figuresOf(id)).toMatchObject({ reward_balance: 100, pending_reward: 534, pending_release });
    expect(await api.json('/api/account/profile/', id)).toMatchObject({ pending_release });

    const readOn = (date: string, pendingDays?: number) =>
      readFigures(database.db, id, Date.parse(`${date}T00:00:00+09:00`), undefined, pendingDays);
    expect(await readOn('2026-04-02')).toMatchObject({ reward_balance: 600, pending_reward: 34 });
    expect((await readOn('2026-05-01')).pending_reward).toBe(4);
    expect(await readOn('2026-05-02')).toMatchObject({ pending_reward: 0, pending_release: undefined });
    // Without a waiting period, this month's earnings join with the next month.
    expect((await readOn('2026-04-01', 0)).pending_release).toEqual({
      until_last_month: 0,
      next_on: '2026-05-01',
      next_amount: 4,
      last_on: '2026-05-01',
    });
  });

  test('notifies the member and the operator, once each', async () => {
    const { id, username, email } = await addEarner(45_678);
    await askForPayout(api, id, { email });
    const [mail, ...others] = await readMails(database, email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: '【Otoichi】送金依頼を受け付けました', state: 'waiting' });
    expect(mail?.text).toContain('45,678円');
    const told = await readMails(database, 'operator@example.test');
    expect(told.filter(({ text }) => text.includes(`${username} さん`))).toHaveLength(1);
  });

  test.each([
    ['too little', 2_999, {}, 400, 'detail', /3,000円以上必要です。現在の残高は2,999円です。/],
    ['nothing ever earned', 0, {}, 400, 'detail', /現在の残高は0円です。/],
    ['an ID not verified', 9_000, { is_personal_info_verified: false }, 400, 'detail', /本人確認が必要です/],
    ...Object.keys(PAYOUT_DETAILS).map(
      (field) => [`no ${field}`, 9_000, { [field]: '' }, 400, 'detail', /未入力です：[^、]+。/] as const,
    ),
    ['a blocked member', 9_000, { is_blocked: true }, 403, 'detail', /受け付けられません/],
  ] as const)('refuses %s and books nothing', async (_, yen, changes, status, field, reason) => {
    const { id, email } = await addEarner(yen, changes);
    await expectReply(askForPayout(api, id, { email }), status, { [field]: expect.stringMatching(reason) });
    expect(await countRequests(id)).toBe(0);
    expect(await figuresOf(id)).toMatchObject({ reward_balance: yen });
    expect(await readMails(database, email)).toEqual([]);
  });

  test('refuses an amount that needs this month’s earnings', async () => {
    const { id, email } = await addEarner(2_999);
    await earn(database, id, 5_000, api.clock.now());
    await expectReply(askForPayout(api, id, { email }), 400, {
      detail: expect.stringMatching(/2,999円です。ほかに、確認中の報酬が5,000円あります。$/) as string,
    });
  });

  test('refuses an address other than the member’s, and names the field', async () => {
    const { id } = await addEarner(9_000);
    const other = await addEarner(0);
    for (const email of [other.email, 'nobody@example.test', '', 'no address', 5, null, ['a@b.c']]) {
      await expectProblems(askForPayout(api, id, { email }), 400, ['email']);
    }
    expect(await countRequests(id)).toBe(0);
  });

  test('accepts the member’s address in any case and width', async () => {
    const { id, email } = await addEarner(9_000);
    expect((await askForPayout(api, id, { email: ` ${email.toUpperCase()} ` })).status).toBe(200);
  });

  test('M7 ignores any amount in the request', async () => {
    const amounts = ['-1', '0', '0.1', '1e309', '"100"', 'null', '9007199254740992', '"NaN"', '-9e15'];
    for (const amount of amounts) {
      const { id, email } = await addEarner(4_000);
      const body = `{"email":"${email}","amount":${amount},"reward_balance":${amount}}`;
      const authorization = `Bearer ${await api.logIn(id)}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const response = await api.app.request('/api/finance/transfer-request', {
        method: 'POST',
        headers,
        body,
      });
      expect(response.status, amount).toBe(200);
      expect(await response.json()).toMatchObject({ amount: 4_000 });
    }
  });

  test('M1 accepts one of 200 concurrent requests', async () => {
    const { id, email } = await addEarner(50_000);
    // On PostgreSQL two pools, like two processes; a SQLite file has one writer at a time.
    const isServer = name === 'postgres';
    const second = isServer ? await openDatabase(place.location) : database;
    const apis = [api, isServer ? createTestApi(second) : api];
    for (const each of apis) await each.logIn(id);
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => askForPayout(apis[index % 2] ?? api, id, { email })),
    );
    if (second !== database) await second.close();
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // Requests that wait longer than a connection allows are refused; on a busy machine that takes seconds.
    expect(statuses.filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(await countRequests(id)).toBe(1);
    expect(await figuresOf(id)).toMatchObject({ reward_balance: 0, transfer_request: { amount: 50_000 } });
    expect(await readMails(database, email)).toHaveLength(1);
    expect(await verifyLedger(database.db)).toEqual([]);
  });

  test('M2 answers fifty concurrent calls with one key, also after a restart, with one request', async () => {
    const { id, email } = await addEarner(7_000);
    const headers = { [KEY]: 'pay me' };
    await api.logIn(id);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => askForPayout(api, id, { email }, headers)),
    );
    const first = await responses[0]?.json();
    expect(first).toMatchObject({ amount: 7_000 });
    for (const response of responses.slice(1)) {
      await expectReply(response, 200, first);
    }
    api.clock.advance(60_000);
    await database.close();
    database = await openDatabase(place.location);
    api = createTestApi(database);
    expect(await (await askForPayout(api, id, { email }, headers)).json()).toEqual(first);
    expect(await countRequests(id)).toBe(1);
    expect(await readMails(database, email)).toHaveLength(1);
  });

  test('M2 separates keys by member, refuses a key with another body, and one that is too long', async () => {
    const [one, two] = [await addEarner(3_500), await addEarner(4_500)];
    const headers = { [KEY]: 'k' };
    expect(await (await askForPayout(api, one.id, one, headers)).json()).toMatchObject({ amount: 3_500 });
    expect(await (await askForPayout(api, two.id, two, headers)).json()).toMatchObject({ amount: 4_500 });
    expect((await askForPayout(api, one.id, two, headers)).status).toBe(409);
    const inCapitals = { email: one.email.toUpperCase() };
    expect((await askForPayout(api, one.id, inCapitals, headers)).status).toBe(200);
    expect((await askForPayout(api, one.id, one, { [KEY]: 'another' })).status).toBe(409);

    const longest = await addEarner(3_000);
    await expectProblems(askForPayout(api, longest.id, longest, { [KEY]: 'x'.repeat(256) }), 400, [KEY]);
    expect(await countRequests(longest.id)).toBe(0);
    expect((await askForPayout(api, longest.id, longest, { [KEY]: 'x'.repeat(255) })).status).toBe(200);
  });

  test('shows the last twelve months, including empty ones, and a requested month', async () => {
    const { id } = await addEarner(1_500);
    await earn(database, id, 200);
    await earn(database, id, 7, Date.UTC(2024, 0, 10));
    const figures = await readFigures(database.db, id, LAST_MONTH_MS, '2024-01');
    expect(figures.months.map(({ month }) => month)).toEqual(listMonths('2026-03', 12));
    expect(figures.months[0]).toEqual({ month: '2026-03', reward: 1_700, downloads: 2 });
    expect(figures.months[1]).toEqual({ month: '2026-02', reward: 0, downloads: 0 });
    expect(figures).toMatchObject({
      reward_balance: 7,
      total_download_balance: 3,
      month_reward_balance: 7,
      month_total_download_balance: 1,
    });
    expect(await readFigures(database.db, id, LAST_MONTH_MS, '2024-02')).toMatchObject({
      month_reward_balance: 0,
      month_total_download_balance: 0,
    });
    expect(await figuresOf(id)).toMatchObject({
      month_reward_balance: '-',
      month_total_download_balance: '-',
    });
  });
});
