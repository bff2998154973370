import {
  DECIDED_PAYOUTS_PAGE_MAX,
  type DecidedPayout,
  type Payout,
  listDecidedPayouts,
  listPayouts,
  payPayouts,
  refusePayout,
} from '../../../../contract/operator/operator.ts';
import { callApi } from '../../../api/browser.ts';
import { saveCsv } from '../../../browser/save-file.ts';
import { toCsv } from '../../../../contract/values/csv.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { createPaged } from '../../../stores/shared/paged.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';

/** The requests that wait. */
export const $payouts = staffQuery<readonly Payout[]>(
  'payouts',
  async (signal) => (await callApi(listPayouts, { signal })).results,
);

/** The requests that were decided, the latest decision first. */
export const decidedPayouts = createPaged<DecidedPayout, void>({
  keepsItems: true,
  idOf: ({ id }) => id,
  async read(_, cursor, signal) {
    const page = cursor ?? 1;
    const { results, has_more } = await callApi(listDecidedPayouts, { query: { page }, signal });
    return { results, next: has_more && page < DECIDED_PAYOUTS_PAGE_MAX ? page + 1 : null };
  },
});

/** Ids of the chosen requests. */
export const $chosen = memberAtom<readonly string[]>([]);
/** While requests are being booked. */
export const $isPaying = memberAtom(false);

export function choose(ids: readonly string[]): void {
  $chosen.set(ids);
}

/** The chosen requests that can be paid. One that was chosen may have become unpayable, or have been decided, since. */
export function listChosen(payouts: readonly Payout[], chosen: readonly string[]): Payout[] {
  return payouts.filter(({ id, obstacle }) => obstacle === '' && chosen.includes(id));
}

/** Yen of requests. */
export function sumYen(payouts: readonly Payout[]): number {
  return payouts.reduce((sum, { amount }) => sum + amount, 0);
}

/** Books requests as paid. Returns whether all were. Never throws. */
export async function pay(payouts: readonly Payout[]): Promise<boolean> {
  if ($isPaying.get()) return false;
  $isPaying.set(true);
  let isRefused = false;
  const isSent = await attempt(async (signal) => {
    const body = { ids: payouts.map(({ id }) => id), total: sumYen(payouts) };
    const { paid, refused } = await callApi(payPayouts, { body });
    signal.throwIfAborted();
    if (paid.length > 0) showToast('success', `${paid.length}件を送金済みにしました`);
    for (const { reason } of refused) showToast('error', reason);
    $chosen.set(refused.map(({ id }) => id));
    isRefused = refused.length > 0;
  });
  $isPaying.set(false);
  readAgain();
  return isSent && !isRefused;
}

/** Refuses a request. Returns whether it was. Never throws. */
export async function refuse(id: string, reason: string): Promise<boolean> {
  const isRefused = await attempt(() => callApi(refusePayout, { params: { id }, body: { reason } }), {
    done: '依頼を却下し、残高に戻しました',
  });
  if (isRefused) $chosen.set($chosen.get().filter((chosen) => chosen !== id));
  readAgain();
  return isRefused;
}

function readAgain(): void {
  $payouts.revalidate();
  void decidedPayouts.reload();
}

/** Saves requests as CSV, for the bank transfer. */
export function savePayouts(payouts: readonly Payout[]): void {
  const text = toCsv([
    ['受付番号', '金融機関', '支店', '種別', '口座番号', '受取人', 'ふりがな', '金額（円）', 'ユーザー名'],
    ...payouts.map((each) => [
      each.id,
      each.bank_name,
      each.branch_name,
      each.deposit_type,
      each.account_number,
      each.name,
      each.furigana,
      each.amount,
      each.username,
    ]),
  ]);
  saveCsv(text, 'payouts.csv');
}
