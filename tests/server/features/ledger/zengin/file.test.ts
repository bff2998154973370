import type { Handle } from '#server/platform/database/handle.ts';
import { describe, expect, test } from 'vitest';
import type { Payout } from '#contract/operator/operator.ts';
import type { ZenginFile } from '#contract/operator/zengin.ts';
import { lockBalance } from '#server/features/ledger/postings.ts';
import { lockWaiting } from '#server/features/ledger/queries.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases, getRow, listRows } from '#support/databases/databases.ts';
import { addPayee, askForPayout, earn, toAddress } from '#support/members/payouts.ts';
import { startInTurn } from '#support/processes/started-in-turn.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const SETTINGS = {
  ZENGIN_CONSIGNOR_CODE: '1234567890',
  ZENGIN_CONSIGNOR_NAME: 'オトイチ',
  ZENGIN_BANK_CODE: '0001',
  ZENGIN_BRANCH_CODE: '107',
  ZENGIN_ACCOUNT_NUMBER: '7654321',
};
/** A Thursday; the clock stands at the day before in Japan. */
const DATE = '2026-04-02';

describe.each(bothDatabases)('files for the bank on $name', ({ name, open, rule }) => {
  const { database, api, renewApi, useStaff } = useApi(open, () => ({ env: SETTINGS }));
  const staff = useStaff();

  async function request(username: string, yen: number, changes: object = {}): Promise<void> {
    const known = { bank_name: 'みずほ銀行', branch_name: '上野支店', ...changes };
    const member = await addPayee(database, username, known);
    await earn(database, member, yen);
    expect((await askForPayout(api, member, { email: toAddress(username) })).status).toBe(200);
    api.clock.advance(1_000);
  }
  const list = async () =>
    ((await api.json('/api/operator/payouts/', staff)) as { results: Payout[] }).results;
  const make = async (body: object) => api.post('/api/operator/zengin/', body, staff);
  const pay = async (id: string) => {
    const response = await api.post('/api/operator/payouts/pay/', { ids: [id], total: 3_000 }, staff);
    return response.json();
  };
  /** The link that undoes the only request of this member. */
  async function findUndoToken(username: string): Promise<string> {
    const mails = await listRows(database, 'mail_outbox', {}, ['to_address', 'text']);
    const own = mails.filter(({ to_address }) => to_address === toAddress(username));
    const [token] = own.flatMap(({ text }) => /\/undo\?token=([\w-]{43})/.exec(text)?.[1] ?? []);
    return token ?? expect.unreachable('no link');
  }
  const undo = (token: string) => api.post('/api/account/undo/', { token });

  rule('contain the chosen requests, and name those whose account is not certain', async () => {
    await request('甲', 3_000, { account_number: '1234' });
    await request('乙', 5_000, { bank_name: '見本銀行' });
    await request('丙', 7_000, { deposit_type: '当座' });
    await request('丁', 9_000, { account_number: '12345678' });
    const ids = (await list()).map(({ id }) => id);
    const response = await make({ ids, date: DATE });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    const reply = (await response.json()) as ZenginFile;
    expect(reply).toMatchObject({
      ids: [ids[0], ids[2]],
      count: 2,
      total: 10_000,
      left_out: [
        { id: ids[1], username: '乙', reason: '金融機関「見本銀行」が見つかりません' },
        { id: ids[3], username: '丁', reason: '口座番号が7桁以内の数字ではありません' },
      ],
    });
    const text = new TextDecoder('shift_jis').decode(Buffer.from(reply.file ?? '', 'base64'));
    const records = text.split('\r\n');
    expect(records.map((record) => record.length)).toEqual([120, 120, 120, 120, 120, 0]);
    expect(records[0]).toContain('04020001ﾐｽﾞﾎ');
    expect(records[1]).toContain('10001234ﾐﾎﾝ ﾀﾛｳ');
    expect(records[3]?.trimEnd()).toBe('8000002000000010000');
    const actions = await everyTable(database.db)
      .selectFrom('operator_actions')
      .selectAll()
      .orderBy('subject')
      .execute();
    expect(actions.map(({ action, subject, note }) => [action, subject, note])).toEqual(
      [ids[0], ids[2]].toSorted().map((id) => ['make bank file', id, `${DATE} 2件 10000円`]),
    );
    expect(await list()).toHaveLength(4);
  });

  test('M13 a member who undoes a request in a file is not paid twice', async () => {
    await request('甲', 3_000);
    const [{ id = '' } = {}] = await list();
    expect(await (await make({ ids: [id], date: DATE })).json()).toMatchObject({ ids: [id] });
    // The same request can be in another file, for another date.
    expect(await (await make({ ids: [id], date: '2026-04-03' })).json()).toMatchObject({ ids: [id] });
    api.clock.advance(1_000);
    const token = await findUndoToken('甲');
    expect(await (await api.post('/api/account/undo/describe/', { token })).json()).toMatchObject({
      changes: [],
    });
    // It reads its clock before the file is made, and takes effect afterwards.
    api.clock.advance(-2_000);
    expect((await undo(token)).status).toBe(200);
    const told = await everyTable(database.db)
      .selectFrom('mail_outbox')
      .select(['subject', 'text'])
      .where('subject', 'like', '%振込データ%')
      .execute();
    expect(told).toEqual([expect.objectContaining({ text: expect.stringContaining('甲') })]);
    // Its yen do not return to be asked for again, and the bank gets it once.
    expect(await list()).toMatchObject([{ id, obstacle: expect.stringContaining('72時間') }]);
    api.clock.advance(73 * 3_600_000);
    const again = await make({ ids: [id], date: '2026-04-07' });
    expect(await again.json()).toMatchObject({
      file: null,
      left_out: [{ id, reason: expect.stringContaining('銀行') }],
    });
    expect(await pay(id)).toEqual({ paid: [id], refused: [] });
  });

  test.each(['file', 'undo'])(
    'M13 a request is in the file or undone when both happen at once, %s first',
    async (first) => {
      await request('甲', 3_000);
      const [{ id = '' } = {}] = await list();
      const token = await findUndoToken('甲');
      const making = () => make({ ids: [id], date: DATE });
      const undoing = () => undo(token);
      const lock = (transaction: Handle) => lockWaiting(transaction, [id]);
      const [made, undone] =
        first === 'file'
          ? await startInTurn(database, lock, making, undoing)
          : (await startInTurn(database, lock, undoing, making)).toReversed();
      expect(undone?.status).toBe(200);
      const isInFile = made?.status === 200;
      if (name === 'postgres') expect(isInFile).toBe(first === 'file');
      if (!isInFile) expect(made?.status).toBe(409);
      expect(await list()).toHaveLength(isInFile ? 1 : 0);
      api.clock.advance(73 * 3_600_000);
      const again = await make({ ids: [id], date: '2026-04-07' });
      if (isInFile) expect(await again.json()).toMatchObject({ file: null, ids: [] });
      else expect(again.status).toBe(409);
      const { id: member } = await getRow(database, 'users', { username: '甲' });
      const balance = () => lockBalance(database.db, member);
      expect(await balance()).toBe(isInFile ? 0 : 3_000);
      if (isInFile) expect(await pay(id)).toEqual({ paid: [id], refused: [] });
      expect(await balance()).toBe(isInFile ? 0 : 3_000);
      expect(await verifyLedger(database.db)).toEqual([]);
    },
  );

  rule('are not made for a day on which no bank transfers, or for decided requests', async () => {
    await request('甲', 3_000);
    const ids = (await list()).map(({ id }) => id);
    for (const date of [
      '2026-03-31',
      '2026-04-04',
      '2026-04-05',
      '2026-04-29',
      '2026-06-30',
      '2026-04-31',
      'x',
    ]) {
      expect([date, (await make({ ids, date })).status]).toEqual([date, 400]);
    }
    expect((await make({ ids: ['nothing'], date: DATE })).status).toBe(409);
  });

  rule('need all settings', async () => {
    await request('甲', 3_000);
    const ids = (await list()).map(({ id }) => id);
    expect(await api.json('/api/operator/zengin/', staff)).toEqual({ missing: [] });
    renewApi({ env: { ...SETTINGS, ZENGIN_BANK_CODE: '' } });
    expect(await api.json('/api/operator/zengin/', staff)).toEqual({ missing: ['ZENGIN_BANK_CODE'] });
    expect((await make({ ids, date: DATE })).status).toBe(409);
  });
});
