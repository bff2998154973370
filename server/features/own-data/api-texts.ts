import {
  DELETION_GRACE_DAYS,
  DeletionPreviewSchema,
  EXPORT_LINK_SEC,
  requestDeletion,
  requestExport,
} from '../../../contract/accounts/own-data.ts';
import { CAUSES, PASSWORD_FIRST } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, flag, integer, reply, text, time } from '../api-docs/field.ts';

/** Deletion of the account, and the export of its data. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'own-data', title: '自分のデータ', position: 14 },
  calls: {
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
      raw: {
        parameters: [
          {
            name: 'token',
            in: 'query',
            required: true,
            description: '書き出しを申し込んだときの token',
            example: 'y475QWn7FBwnO9tL',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: {
            description: 'ZIPファイル',
            content: {
              'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } },
            },
          },
        },
      },
    },
  },
  components: {
    DeletionPreview: reply('退会で失うもの', DeletionPreviewSchema, {
      sounds: integer('削除されるサウンドの数', 12),
      favorites: integer('削除されるお気に入りの数', 48),
      balance: integer('失う残高（円）', 4_200),
      payable: integer('そのうち、いま送金を依頼できる額（円）', 4_000),
      has_open_transfer: flag('手続き中の送金があり、退会できないかどうか', false),
      is_last_staff: flag('最後の運営アカウントで、退会できないかどうか', false),
    }),
    DeletionRequest: body('退会の申し込み', requestDeletion.body, {
      forfeit: integer('確認した、失う残高（円）', 4_200),
    }),
    DeletionScheduled: reply('退会の予定', requestDeletion.reply, { deleted_at: time('削除される日時') }),
    ExportLink: reply('書き出しの引換え', requestExport.reply, {
      token: text('ダウンロードするときに送る token', 'y475QWn7FBwnO9tL'),
    }),
  },
};
