import { CAUSES, PAGE, SOUND_ID } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { extended, text } from '../field.ts';

/** Downloads and their certificates, by method and path. */
export const DOWNLOADS_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/sounds/{id}/download-intents': {
    id: 'beginDownload',
    summary: 'ダウンロードを始める',
    description: '返された id を、広告のあとのダウンロードに intent として渡します。',
    refusals: { 404: CAUSES.noSound },
    isExtension: true,
    fields: SOUND_ID,
  },
  'POST /api/download-intents/{id}/watching': {
    id: 'reportWatching',
    summary: 'お知らせ広告の視聴を知らせる',
    description: '視聴時間はホストの時計で測ります。',
    refusals: { 404: '当てはまるダウンロードがないか、終わっている' },
    isExtension: true,
    fields: { id: text('ダウンロードを始めたときのid', 'ResszkLkn8VH0tx4d7DxmA') },
  },
  'POST /api/sounds/{id}/download': {
    id: 'downloadSound',
    summary: 'ファイルのアドレスを得る',
    description: '返された url は短時間だけ有効で、このサウンドにだけ使えます。',
    refusals: { 404: CAUSES.noSound, 409: 'お知らせ広告の視聴時間が足りない' },
    fields: {
      ...SOUND_ID,
      log: text('広告の視聴のあとかどうか', 'true'),
      intent: extended(text('ダウンロードを始めたときのid', 'ResszkLkn8VH0tx4d7DxmA')),
      provider: extended(text('表示した広告の提供元', 'house')),
    },
  },
  'GET /api/certificates/{id}/': {
    id: 'getCertificate',
    summary: '1つの利用証明書',
    description:
      'certificate を、届いた順のまま空白なしのJSONにしたUTF-8のバイト列が、署名の対象です。サウンドが削除されても変わりません。',
    refusals: { 404: 'このidの利用証明書はない' },
    isExtension: true,
    fields: { id: text('ダウンロードで返された certificate', '31khTIafxkf2Nhnme9qMjw') },
  },
  'GET /api/certificate-keys/': {
    id: 'listCertificateKeys',
    summary: '利用証明書の署名を確かめる公開鍵',
    description: '以前の鍵も含みます。',
    isExtension: true,
  },
  'GET /api/licences/{hash}/': {
    id: 'getLicence',
    summary: '利用証明書が示す利用条件',
    description: 'title、空行、body をつないだUTF-8のバイト列のSHA-256が hash です。本文は変わりません。',
    refusals: { 404: 'このハッシュの利用条件はない' },
    isExtension: true,
    fields: {
      hash: text(
        '利用証明書の licence_sha256',
        '5d979b0c9a7adf59f9bd0114ba04c12b0483c0f2af911d2a00f58bf1419105d1',
      ),
    },
  },
  'GET /api/account/certificates/': {
    id: 'listOwnCertificates',
    summary: '自分の利用証明書の一覧',
    description: 'ログインしてダウンロードしたものを、新しい順に返します。',
    refusals: { 400: CAUSES.noPage },
    isExtension: true,
    fields: { page: PAGE },
  },
};
