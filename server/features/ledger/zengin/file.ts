import { toDay } from '../../../../contract/values/months.ts';
import {
  TRANSFER_DAYS_MAX,
  getZenginSettings,
  makeZenginFile,
} from '../../../../contract/operator/zengin.ts';
import type { LeftOut, ZenginFile } from '../../../../contract/operator/zengin.ts';
import { PAYEE_LENGTH_MAX, toZenginText } from '../../../../contract/payouts/zengin-text.ts';
import { NOT_STORED } from '../../../platform/http/access.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { route } from '../../../platform/http/route.ts';
import type { Platform } from '../../../platform/http/context.ts';
import type { Route } from '../../../platform/http/route.ts';
import { MAKE_BANK_FILE, readPayouts } from '../payout-decisions.ts';
import { lockWaiting } from '../queries.ts';
import { findLastTimes, recordAction, requireStaff } from '../../staff/actions.ts';
import { NO_LONGER_WAITING, toObstacle } from '../desk.ts';
import { DECIDING_RECENTLY, READING } from '../../staff/rules.ts';
import { isBankDay } from './bank-days.ts';
import { findBranch, findBranchByCode, loadBanks } from './banks.ts';
import { DEPOSITS, toZenginFile } from './format.ts';
import type { Deposit, Transfer } from './format.ts';
import { listMissingSettings, toConsignor } from './settings.ts';
import type { ZenginSettings } from './settings.ts';
import type { Handle } from '../../../platform/database/handle.ts';

type ZenginDeps = Pick<Platform, 'database' | 'clock'> & { readonly zengin: ZenginSettings };
type Request = Awaited<ReturnType<typeof readPayouts>>[number];

const ACCOUNT_LENGTH = 7;

/** The file for the bank. */
export const ZENGIN_ROUTES: readonly Route<ZenginDeps>[] = [
  route(getZenginSettings, READING, async (_, { zengin }) => ({ missing: listMissingSettings(zengin) })),

  route(makeZenginFile, DECIDING_RECENTLY, ({ body, caller, context }, deps) => {
    context.header('cache-control', NOT_STORED);
    return makeFile(deps, caller.id, body.ids, body.date);
  }),
];

/**
 * Makes the file of the chosen requests and records it without accounts. Requests that cannot be paid, or whose account
 * is not certain, are left out with the reason; so are those that may be paid already. Throws `Problem` 400 for a date on which no bank transfers, and 409
 * without the settings, or if one of the requests does not wait any more.
 */
async function makeFile(
  deps: ZenginDeps,
  staffId: string,
  ids: readonly string[],
  date: string,
): Promise<ZenginFile> {
  const { database, clock, zengin } = deps;
  const missing = listMissingSettings(zengin);
  if (missing.length > 0) throw new Problem(409, `設定が足りません：${missing.join('、')}`);
  const nowMs = clock.now();
  const transferDate = toTransferDate(date, nowMs);
  const waiting = new Map((await readPayouts(deps)).map((request) => [request.id, request]));
  const banks = loadBanks();
  const consignor = toConsignor(zengin);
  const ownBranch = findBranchByCode(banks, consignor.bankCode, consignor.branchCode);
  if (ownBranch === undefined) {
    throw new Problem(
      409,
      'ZENGIN_BANK_CODEとZENGIN_BRANCH_CODEの支店が見つかりません。設定を確かめてください。',
    );
  }
  const inFileSince = await findLastTimes(database.db, MAKE_BANK_FILE, ids);
  const transfers: Transfer[] = [];
  const paid: string[] = [];
  const left_out: LeftOut[] = [];
  for (const id of new Set(ids)) {
    const request = waiting.get(id);
    if (request === undefined) throw new Problem(409, NO_LONGER_WAITING);
    const obstacle = toObstacle(request, nowMs) || toChange(request, inFileSince.get(id));
    const transfer = obstacle === '' ? toTransfer(banks, request) : { problem: obstacle };
    if ('problem' in transfer) left_out.push({ id, username: request.username, reason: transfer.problem });
    else {
      transfers.push(transfer);
      paid.push(id);
    }
  }
  const total = transfers.reduce((sum, { amount }) => sum + amount, 0);
  const reply = { ids: paid, count: paid.length, total, left_out };
  if (paid.length === 0) return { ...reply, file: null };
  const file = toZenginFile({ ...consignor, ...ownBranch }, transferDate, transfers);
  const note = `${date} ${paid.length}件 ${total}円`;
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    if ((await lockWaiting(transaction, paid)).length < paid.length)
      throw new Problem(409, NO_LONGER_WAITING);
    for (const subject of paid) {
      await recordAction(transaction, { staffId, action: MAKE_BANK_FILE, subject, note }, nowMs);
    }
  });
  return { ...reply, file: file.toString('base64') };
}

/**
 * Why a request cannot be in another file: since the one before, its member has undone it or changed the account, so the
 * bank may have paid it. '' if it can, such as for another date. Requests whose payout is held are in no file, so a hold that
 * ends after the file was made began after it, whichever of the two read its clock first.
 */
function toChange({ payout_held_until }: Request, inFileSinceMs: number | undefined): string {
  if (inFileSinceMs === undefined || payout_held_until <= inFileSinceMs) return '';
  return 'すでに振込データに入れたあとで、取り消しか振込先の変更がありました。銀行に確かめてください';
}

/** MMDD. */
function toTransferDate(date: string, nowMs: number): string {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const isReal = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  if (!isReal) throw new Problem(400, { date: '振込日を指定してください。' });
  const daysAhead = toDay(midnight) - toDay(nowMs);
  if (daysAhead < 0 || daysAhead > TRANSFER_DAYS_MAX) {
    throw new Problem(400, { date: `振込日は、今日から${TRANSFER_DAYS_MAX}日以内で指定してください。` });
  }
  if (!isBankDay(date)) {
    throw new Problem(400, {
      date: '土日、祝日、12月31日から1月3日は、銀行の営業日ではありません。別の日を指定してください。',
    });
  }
  return date.slice(5).replace('-', '');
}

/** What the bank needs, or why it is not certain. */
function toTransfer(
  banks: ReturnType<typeof loadBanks>,
  request: Request,
): Transfer | { readonly problem: string } {
  const branch = findBranch(banks, request.bank_name, request.branch_name);
  if ('problem' in branch) return branch;
  const depositType: Deposit | undefined = Object.entries(DEPOSITS).find(
    ([name]) => name === request.deposit_type,
  )?.[1];
  if (depositType === undefined) return { problem: `預金種別「${request.deposit_type}」は振り込めません` };
  if (!/^\d+$/.test(request.account_number) || request.account_number.length > ACCOUNT_LENGTH) {
    return { problem: `口座番号が${ACCOUNT_LENGTH}桁以内の数字ではありません` };
  }
  const payee = toZenginText(request.furigana);
  if (payee === null || payee === '') {
    return { problem: `ふりがな「${request.furigana}」に、全銀形式で使えない文字があります` };
  }
  if (payee.length > PAYEE_LENGTH_MAX) {
    return { problem: `ふりがなが半角${PAYEE_LENGTH_MAX}文字を超えています` };
  }
  const accountNumber = request.account_number.padStart(ACCOUNT_LENGTH, '0');
  return { ...branch, depositType, accountNumber, payee, amount: request.amount };
}
