import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY_LENGTH_MAX } from '../../../../contract/endpoint.ts';
import { DELETION_GRACE_DAYS, EXPORT_LINK_SEC } from '../../../../contract/own-data.ts';
import { QUALITY_CHECK_SLOTS } from '../../../../contract/quality-check.ts';
import { CAUSES, PAGE, PASSWORD_FIRST } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { list, month, part, text } from '../field.ts';

/** Reviews, rewards and the member’s own data, by method and path. */
export const REWARDS_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/account/upload-quality-check/': {
    id: 'applyForQualityCheck',
    summary: 'クオリティチェックに申し込む',
    description: '3つ以上のファイルを file_1 から順に送ります。',
    refusals: {
      400: 'ファイルが3つより少ない、MP3でもM4Aでもない、種類がない、または他人のid。項目名は本文に示す',
      403: CAUSES.blocked,
      409: 'すでに通過しているか、審査中',
      413: CAUSES.fileTooLarge,
      507: CAUSES.diskFull,
    },
    fields: {
      ...Object.fromEntries(
        QUALITY_CHECK_SLOTS.map((slot, index) => [slot, part(`${index + 1}曲目。MP3、またはAACのM4A`)]),
      ),
      user_id: text('自分のid', 'NNmoXW1bOQyBLwPN'),
      types: list('サウンドの種類のid。繰り返せる', ['1']),
    },
  },
  'POST /api/account/verify-personal-info/': {
    id: 'verifyPersonalInfo',
    summary: '本人確認書類を送る',
    description: `振込先などの項目を先に入力しておきます。${PASSWORD_FIRST}`,
    refusals: {
      400: CAUSES.noPicture,
      403: CAUSES.passwordNeeded,
      409: '審査中か、すでに承認されている',
      413: CAUSES.pictureTooLarge,
    },
    fields: { personal_id_image: part('本人確認書類の写真') },
  },
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
  'GET /api/account/deletion/': {
    id: 'previewDeletion',
    summary: '退会で失うものを確認する',
    isExtension: true,
  },
  'POST /api/account/deletion/': {
    id: 'requestDeletion',
    summary: '退会する',
    description: `アカウントはすぐに非公開になり、${DELETION_GRACE_DAYS}日後に削除されます。それまではメールのリンクで取り消せます。${PASSWORD_FIRST}`,
    refusals: {
      400: '送った残高が現在の残高と異なる',
      403: CAUSES.passwordNeeded,
      409: '送金の手続き中か、最後の運営アカウント',
    },
    isExtension: true,
  },
  'POST /api/account/export/': {
    id: 'requestExport',
    summary: '自分のデータの書き出しを申し込む',
    description: `返された token は${EXPORT_LINK_SEC}秒間有効です。${PASSWORD_FIRST}`,
    refusals: { 403: CAUSES.passwordNeeded },
    isExtension: true,
  },
  'GET /api/account/export/file/': {
    id: 'downloadExport',
    summary: '自分のデータ（ZIP）をダウンロードする',
    refusals: { 400: CAUSES.linkExpired },
    isExtension: true,
  },
};
