import { HOUR_MS } from '../../../../contract/time-units.ts';
import { GRANT_MS_MAX, INTENT_MS_MAX } from '../../../../contract/downloads.ts';
import { CAUSES, PAGE, SOUND_ID } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { extended, text } from '../field.ts';

/** Markdown. `tests/server/features/api-docs/client.test.ts` takes these steps. */
const STEPS_TO_CERTIFICATE = `利用証明書までの順序です。

1. この呼び出しから id と Cookie を受け取る。Cookie は \`__Host-visitor\`、httpのホストでは \`visitor\`。
2. is_granted が false なら \`GET /notice/next\` を呼ぶ。notice があれば表示し、見え始めたときに begin、見終わったときに end を \`POST /api/download-intents/{id}/watching\` に送る。
3. \`POST /api/sounds/{id}/download\` を intent を付けて呼ぶ。広告を見たときは log=true と provider=house、見せていないときは log=false を付ける。url と certificate が返る。
4. \`GET /api/certificates/{id}/\` に certificate を渡す。Cookie もログインもいらない。

2の watching と3には、1の Cookie も送ります。id はその Cookie とこのサウンドだけに、${INTENT_MS_MAX / HOUR_MS}時間使えます。
Cookie は HttpOnly、Path=/、SameSite=Lax で、httpsでは Secure も付きます。別のサイトの WEB_ORIGIN には SameSite=None と Partitioned で渡します。期限は Max-Age（初期設定は31日）で、始めるたびに延びます。
ブラウザーは credentials: 'include' で送ります。ほかのプログラムは、Cookie とともに Origin（ホストのアドレス）も送ります。Origin がないと403です。`;

/** Downloads and their certificates, by method and path. */
export const DOWNLOADS_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/sounds/{id}/download-intents': {
    id: 'beginDownload',
    summary: 'ダウンロードを始める',
    description: STEPS_TO_CERTIFICATE,
    refusals: { 404: CAUSES.noSound },
    isExtension: true,
    fields: SOUND_ID,
  },
  'POST /api/download-intents/{id}/watching': {
    id: 'reportWatching',
    summary: '広告の視聴を知らせる',
    description: '視聴時間はホストの時計で測ります。ダウンロードを始めたときの Cookie が必要です。',
    refusals: { 404: '当てはまるダウンロードがないか、終わっているか、その Cookie がない' },
    isExtension: true,
    fields: { id: text('ダウンロードを始めたときのid', 'ResszkLkn8VH0tx4d7DxmA') },
  },
  'POST /api/sounds/{id}/download': {
    id: 'downloadSound',
    summary: 'ファイルのアドレスを得る',
    description: `返された url は短時間だけ有効で、このサウンドにだけ使えます。
intent か Cookie がないとき、期限が切れているとき、別の Cookie のときは、url だけを返します。certificate は付かず、ダウンロードの数にも報酬にも入りません。
公開中のサウンドで、1日の上限を超えていなければ、certificate が付きます。同じ intent では、終わってから${GRANT_MS_MAX / HOUR_MS}時間は同じものを返します。`,
    refusals: { 404: CAUSES.noSound, 409: '広告の視聴時間が足りない' },
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
