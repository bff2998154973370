import { DELETION_GRACE_DAYS, EXPORT_LINK_SEC } from '../../../../contract/own-data.ts';
import { QUALITY_CHECK_SLOTS } from '../../../../contract/quality-check.ts';
import { PAGE, PASSWORD_FIRST } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { list, month, part, text } from '../field.ts';

/** Reviews, rewards and the member’s own data, by method and path. */
export const REWARDS_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/account/upload-quality-check/': {
    id: 'applyForQualityCheck',
    summary: 'クオリティチェックに申し込む',
    description: '3つ以上のファイルを file_1 から順に送ります。',
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
    fields: { personal_id_image: part('本人確認書類の写真') },
  },
  'POST /api/finance/transfer-request/': {
    id: 'requestTransfer',
    summary: '報酬の送金を依頼する',
    description: `残高の全額を依頼します。3,000円から。${PASSWORD_FIRST}`,
  },
  'GET /api/finance/transfer-requests/': {
    id: 'listTransfers',
    summary: '送金の履歴',
    extension: 'transfer-history',
    fields: { page: PAGE },
  },
  'GET /api/finance/statements/{month}/': {
    id: 'getStatement',
    summary: '月ごとの報酬の明細',
    extension: 'statements',
    fields: { month: month('月') },
  },
  'GET /api/account/deletion/': {
    id: 'previewDeletion',
    summary: '退会で失うものを確認する',
    extension: 'account-deletion',
  },
  'POST /api/account/deletion/': {
    id: 'requestDeletion',
    summary: '退会する',
    description: `アカウントはすぐに非公開になり、${DELETION_GRACE_DAYS}日後に削除されます。それまではメールのリンクで取り消せます。${PASSWORD_FIRST}`,
    extension: 'account-deletion',
  },
  'POST /api/account/export/': {
    id: 'requestExport',
    summary: '自分のデータの書き出しを申し込む',
    description: `返された token は${EXPORT_LINK_SEC}秒間有効です。${PASSWORD_FIRST}`,
    extension: 'data-export',
  },
  'GET /api/account/export/file/': {
    id: 'downloadExport',
    summary: '自分のデータ（ZIP）をダウンロードする',
    extension: 'data-export',
  },
};
