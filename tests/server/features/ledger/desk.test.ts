import { describe, expect, test } from 'vitest';
import type { Payout } from '#contract/operator/operator.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { selectDecidedPayouts } from '#server/features/ledger/queries.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { listRows, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { readPlans } from '../console/query-plans.ts';
import { addPayee, askForPayout, earn, toAddress } from '#support/members/payouts.ts';

describe.each(ruleDatabases)('payouts in the console on $name', ({ open }) => {
  const { database, api, useStaff } = useApi(open);
  const staff = useStaff();

  async function request(username: string, yen: number): Promise<string> {
    const member = await addPayee(database, username);
    await earn(database, member, yen);
    expect((await askForPayout(api, member, { email: toAddress(username) })).status).toBe(200);
    api.clock.advance(1_000);
    return member;
  }
  const list = async () =>
    ((await api.json('/api/operator/payouts/', staff)) as { results: Payout[] }).results;
  const post = async (path: string, body: object) => api.post(`/api/operator/payouts/${path}`, body, staff);
  const countMails = async (subject: string) =>
    (await listRows(database, 'mail_outbox', {}, ['subject'])).filter((mail) =>
      mail.subject.includes(subject),
    ).length;

  test('are booked together when the bank’s total is their sum, and not otherwise', async () => {
    await request('甲', 3_000);
    await request('乙', 5_000);
    const ids = (await list()).map(({ id }) => id);
    const wrong = await post('pay/', { ids, total: 8_001 });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('8,000円')]);
    expect(await list()).toHaveLength(2);
    await expectReply(post('pay/', { ids: [...ids, ids[0]], total: 8_000 }), 200, { paid: ids, refused: [] });
    expect(await list()).toEqual([]);
    expect(await countMails('送金')).toBeGreaterThanOrEqual(2);
    expect(await database.db.transaction().execute(verifyLedger)).toEqual([]);
    expect((await post('pay/', { ids, total: 8_000 })).status).toBe(409);
  });

  test('name what stands in the way, and book the others', async () => {
    await request('甲', 3_000);
    const blocked = await request('乙', 5_000);
    await updateRows(database, 'users', { is_blocked: 1 }, { id: blocked });
    const payouts = await list();
    expect(payouts.map(({ username, obstacle }) => [username, obstacle])).toEqual([
      ['甲', ''],
      ['乙', 'メンバーが制限中'],
    ]);
    const reply = await post('pay/', { ids: payouts.map(({ id }) => id), total: 8_000 });
    expect(await reply.json()).toEqual({
      paid: [payouts[0]?.id],
      refused: [{ id: payouts[1]?.id, reason: expect.stringContaining('制限中') }],
    });
    expect((await list()).map(({ username }) => username)).toEqual(['乙']);
  });

  test('are refused with a reason, and the yen return', async () => {
    await request('甲', 3_000);
    const [payout] = await list();
    const path = `${payout?.id}/refuse/`;
    expect((await post(path, { reason: ' ' })).status).toBe(400);
    expect((await post(path, { reason: '口座が見つかりません。' })).status).toBe(200);
    expect((await post(path, { reason: 'もう一度' })).status).toBe(409);
    expect(await list()).toEqual([]);
    expect(await database.db.transaction().execute(verifyLedger)).toEqual([]);
  });

  test('that were decided are listed, the latest decision first, with who decided and why', async () => {
    const paid = await request('甲', 3_000);
    const refused = await request('乙', 5_000);
    await request('丙', 4_000);
    const [first, second] = await list();
    api.clock.advance(60_000);
    expect((await post('pay/', { ids: [first?.id], total: 3_000 })).status).toBe(200);
    api.clock.advance(60_000);
    expect((await post(`${second?.id}/refuse/`, { reason: '口座が見つかりません。' })).status).toBe(200);
    const nowMs = api.clock.now();
    const read = (page: string) => api.json(`/api/operator/payouts/decided/${page}`, staff);
    expect(await read('')).toMatchObject({
      results: [
        {
          id: second?.id,
          state: 'refused',
          amount: 5_000,
          member_id: refused,
          username: '乙',
          decided_at: nowMs,
        },
        { id: first?.id, state: 'paid', amount: 3_000, member_id: paid, username: '甲', reason: '' },
      ],
      has_more: false,
    });
    expect(await read('?page=2')).toEqual({ results: [], has_more: false });
    const plans = await readPlans(database, 'transfer_requests', (watched) =>
      selectDecidedPayouts(watched.db, { limit: 51, offset: 0 }),
    );
    expect(plans.join()).toContain('transfer_requests_decided');
  });
});
