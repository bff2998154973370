// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import type { Payout } from '#contract/operator/operator.ts';
import { STAFF, callApi, showToast, useStores } from '../../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { $chosen, choose, listChosen, pay } from '#src/islands/console/payouts/payouts.ts';

const PAYOUT: Payout = {
  id: '',
  created_at: 0,
  amount: 3_000,
  username: '受取人',
  email: 'payee@example.test',
  name: '見本 太郎',
  furigana: 'みほん たろう',
  bank_name: '見本銀行',
  branch_name: '中央支店',
  deposit_type: '普通',
  account_number: '1234567',
  obstacle: '',
};
const payable = { ...PAYOUT, id: 'payable' };
const blocked = { ...PAYOUT, id: 'blocked', amount: 5_000, obstacle: 'メンバーが制限中' };

useStores({ member: STAFF });
beforeEach(() => void callApi.mockResolvedValue({ paid: ['payable'], refused: [] }));

it('sends the requests that the total adds up, without those that became unpayable', async () => {
  choose(['payable', 'blocked', 'decided meanwhile']);
  expect(await pay(listChosen([payable, blocked], $chosen.get()))).toBe(true);
  expect(callApi).toHaveBeenCalledWith(expect.anything(), { body: { ids: ['payable'], total: 3_000 } });
  expect($chosen.get()).toEqual([]);
});
