import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { OWN_PAYOUTS_PAGE_SIZE, listOwnPayouts } from '#contract/payouts/payouts.ts';
import { ProfileSchema } from '#contract/accounts/profile.ts';
import { randomId } from '#server/platform/database/statements/random-id.ts';
import { payPayout, refusePayout } from '#server/features/ledger/payout-decisions.ts';
import { expectProblems } from '#support/http/replies.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { bothDatabases, insertRow } from '#support/databases/databases.ts';
import {
  addPayee,
  askForPayout,
  earn,
  findOpenPayoutId,
  toAddress,
  toPayoutDeps,
} from '#support/members/payouts.ts';

const PATH = '/api/finance/transfer-requests/';

describe.each(bothDatabases)('the history of payouts on $name', ({ open }) => {
  const { database, api, useStaff } = useApiOnce(open);
  const staffId = useStaff();
  let members = 0;

  const addMember = () => addPayee(database, `payee${(members += 1)}`);

  /** A request at the current time; the clock advances by a minute. */
  async function ask(id: string): Promise<{ requestId: string; requestedAt: string }> {
    await earn(database, id, 3_000);
    const requestedAt = new Date(api.clock.now()).toISOString();
    const { email } = await api.json('/api/account/profile/', id);
    expect((await askForPayout(api, id, { email })).status).toBe(200);
    const requestId = await findOpenPayoutId(database, id);
    api.clock.advance(60_000);
    return { requestId, requestedAt };
  }
  const deps = () => toPayoutDeps(database, api.clock);

  test('lists each request with its state, its days and the reason of a refusal, the newest first', async () => {
    const id = await addMember();
    const paid = await ask(id);
    const paidAt = new Date(api.clock.now()).toISOString();
    await payPayout(deps(), paid.requestId, staffId);
    const refused = await ask(id);
    const refusedAt = new Date(api.clock.now()).toISOString();
    await refusePayout(deps(), refused.requestId, staffId, '口座名義が一致しません。');
    const waiting = await ask(id);
    const reply = await api.json(PATH, id);
    expect(reply).toEqual({
      results: [
        // The refused amount is in the balance again.
        { id: waiting.requestId, amount: 6_000, state: 'requested', requested_at: waiting.requestedAt },
        {
          id: refused.requestId,
          amount: 3_000,
          state: 'refused',
          requested_at: refused.requestedAt,
          decided_at: refusedAt,
          reason: '口座名義が一致しません。',
        },
        {
          id: paid.requestId,
          amount: 3_000,
          state: 'paid',
          requested_at: paid.requestedAt,
          decided_at: paidAt,
        },
      ],
      next: null,
    });
    expect(v.parse(listOwnPayouts.reply, reply)).toEqual(reply);
    expect(JSON.stringify(reply)).not.toContain(staffId);
  });

  test('is visible only to its member, and is not cached', async () => {
    const [id, other] = [await addMember(), await addMember()];
    await ask(id);
    expect(await api.json(PATH, other)).toEqual({ results: [], next: null });
    const response = await api.get(PATH, id);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('is paged', async () => {
    const id = await addMember();
    for (let number = 0; number <= OWN_PAYOUTS_PAGE_SIZE; number++) {
      await insertRow(database, 'transfer_requests', {
        id: randomId(),
        user_id: id,
        amount: 3_000 + number,
        email: toAddress('payee'),
        state: 'paid',
        idempotency_key: null,
        created_at: 1_000 * number,
        decided_at: 1_000 * number + 1,
        decided_by: staffId,
      });
    }
    const first = await api.json(PATH, id);
    expect([first.results.length, first.next, first.results[0].amount]).toEqual([
      OWN_PAYOUTS_PAGE_SIZE,
      2,
      3_000 + OWN_PAYOUTS_PAGE_SIZE,
    ]);
    const second = await api.json(`${PATH}?page=2`, id);
    expect([second.results.length, second.next, second.results[0].amount]).toEqual([1, null, 3_000]);
    expect(await api.json(`${PATH}?page=3`, id)).toEqual({ results: [], next: null });
  });

  test.each(['0', '-1', '101', 'x', ''])('refuses %j as a page', async (page) => {
    await expectProblems(api.get(`${PATH}?page=${page}`, staffId), 400, ['page']);
  });

  test('appears in the profile with its newest decision, until another request is made', async () => {
    const id = await addMember();
    const profileOf = async () => v.parse(ProfileSchema, await api.json('/api/account/profile/', id));
    expect((await profileOf()).last_transfer).toBeUndefined();
    const { requestId } = await ask(id);
    expect(await profileOf()).toMatchObject({ transfer_request: { amount: 3_000 } });
    expect((await profileOf()).last_transfer).toBeUndefined();
    await refusePayout(deps(), requestId, staffId, '口座番号が見つかりません。');
    expect((await profileOf()).transfer_request).toBeUndefined();
    expect((await profileOf()).last_transfer).toMatchObject({
      state: 'refused',
      amount: 3_000,
      reason: '口座番号が見つかりません。',
    });
    await ask(id);
    expect((await profileOf()).last_transfer).toBeUndefined();
  });
});
