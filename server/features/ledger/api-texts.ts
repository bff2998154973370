import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY_LENGTH_MAX } from '../../../contract/calls/endpoint.ts';
import {
  PayoutAcceptedSchema,
  OwnPayoutPageSchema,
  OwnPayoutSchema,
  requestPayout,
} from '../../../contract/payouts/payouts.ts';
import { StatementLineSchema, StatementSchema } from '../../../contract/payouts/statements.ts';
import { CAUSES, PAGE, PASSWORD_FIRST } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, email, integer, month, part, reply, text, time } from '../api-docs/field.ts';

const amount = integer('金額（円）', 4_000);
const reward = integer('報酬（円）', 120, { minimum: undefined });
const downloads = integer('報酬の対象になったダウンロードの数', 12, { minimum: undefined });

/** Rewards and payouts. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'rewards', title: '報酬と送金', position: 13 },
  calls: {
    'POST /api/finance/transfer-request/': {
      id: 'requestTransfer',
      summary: '報酬の送金を依頼する',
      description: `残高の全額を依頼します。3,000円から。${PASSWORD_FIRST}`,
      refusals: {
        400: '3,000円に満たない、自分のものでないメールアドレス、または本人確認が済んでいないか項目が足りない',
        403: 'アカウントが制限されている、振込先などを変更した直後、またはパスワードの確認が必要',
        409: 'すでに送金の手続き中',
      },
      headers: {
        [IDEMPOTENCY_HEADER]: text(
          '同じ値の依頼は、繰り返しても1回だけ行われる',
          '2c8f0b52-5f0e-4a4e-9d5c-1f7d6a3f1b90',
          { maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
        ),
      },
    },
    'GET /api/finance/transfer-requests/': {
      id: 'listTransfers',
      summary: '送金の履歴',
      refusals: { 400: CAUSES.noPage },
      isExtension: true,
      fields: { page: PAGE },
    },
    'GET /api/finance/statements/{month}/': {
      id: 'getStatement',
      summary: '月ごとの報酬の明細',
      refusals: { 400: '月の形式が正しくない' },
      isExtension: true,
      fields: { month: month('月') },
    },
  },
  components: {
    TransferRequest: body('送金の依頼', requestPayout.body, { email: email('自分のメールアドレス') }),
    TransferAccepted: reply('受け付けた送金の依頼', PayoutAcceptedSchema, {
      detail: text('結果を示す文', '送金依頼を受け付けました。'),
      amount,
      requested_at: time('依頼した日時'),
    }),
    Transfer: reply('送金の依頼', OwnPayoutSchema, {
      id: text('依頼のid', 'updKBHgPlZSEyOEj'),
      amount,
      state: text('requested は手続き中、paid は送金済み、refused は送金しなかったもの', 'paid'),
      requested_at: time('依頼した日時'),
      decided_at: time('手続きが済んだ日時。それまでは送らない'),
      reason: text('送金しなかった理由。そのときだけ送る', '口座が見つかりませんでした。'),
    }),
    TransferPage: reply('送金の履歴の1ページ', OwnPayoutPageSchema, {
      results: part('このページの依頼'),
      next: integer('次のページ番号。最後のページでは null', 2, { minimum: 2 }),
    }),
    Statement: reply('1か月の報酬の明細', StatementSchema, {
      month: month('月'),
      reward,
      downloads,
      sounds: part('サウンドごとの内訳'),
    }),
    StatementLine: reply('サウンドごとの報酬', StatementLineSchema, {
      sound_id: text('サウンドのid。1つのサウンドについてでないときは null', 'ZtKD74yLHGTP7uU0'),
      title: text('いまのタイトル。削除されたサウンドでは null', '雨上がりの朝'),
      reward,
      downloads,
    }),
  },
};
