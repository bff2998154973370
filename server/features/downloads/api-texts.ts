import {
  GRANT_MS_MAX,
  INTENT_MS_MAX,
  beginDownload,
  downloadSound,
  reportWatching,
} from '../../../contract/downloads/downloads.ts';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import { CAUSES, SOUND_ID } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, extended, flag, integer, reply, text } from '../api-docs/field.ts';

/** Markdown. `tests/server/features/api-docs/client.test.ts` takes these steps. */
const STEPS_TO_CERTIFICATE = `利用証明書までの順序です。

1. この呼び出しから id と Cookie を受け取る。Cookie は \`__Host-visitor\`、httpのホストでは \`visitor\`。
2. is_granted が false なら \`GET /notice/next\` を呼ぶ。notice があれば表示し、見え始めたときに begin、見終わったときに end を \`POST /api/download-intents/{id}/watching\` に送る。
3. \`POST /api/sounds/{id}/download\` を intent を付けて呼ぶ。広告を見たときは log=true と provider=house、見せていないときは log=false を付ける。url と certificate が返る。
4. \`GET /api/certificates/{id}/\` に certificate を渡す。Cookie もログインもいらない。

2の watching と3には、1の Cookie も送ります。id はその Cookie とこのサウンドだけに、${INTENT_MS_MAX / HOUR_MS}時間使えます。
Cookie は HttpOnly、Path=/、SameSite=Lax で、httpsでは Secure も付きます。別のサイトの WEB_ORIGIN には SameSite=None と Partitioned で渡します。期限は Max-Age（初期設定は31日）で、始めるたびに延びます。
ブラウザーは credentials: 'include' で送ります。ほかのプログラムは、Cookie とともに Origin（ホストのアドレス）も送ります。Origin がないと403です。`;

const BASE64URL = { pattern: '^[A-Za-z0-9_-]+$' };

/** Downloads, and the viewing time before them. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'downloads', title: 'ダウンロード', position: 2 },
  calls: {
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
  },
  components: {
    DownloadIntent: reply('始めたダウンロード', beginDownload.reply, {
      id: text('この人とこのサウンドだけに使えるid', 'ResszkLkn8VH0tx4d7DxmA', BASE64URL),
      is_granted: flag('24時間以内に得たサウンドで、広告がいらないかどうか', false),
    }),
    WatchingReport: body('広告の視聴の知らせ', reportWatching.body, {
      state: text('begin は見え始めたとき、rest はタブが隠れたとき、end は見終わったとき', 'begin'),
      notice: text('広告のid', 'spring-sale'),
    }),
    WatchedTime: reply('ホストが測った視聴時間', reportWatching.reply, {
      watched_ms: integer('視聴した時間（ミリ秒）', 4_200),
      needed_ms: integer('必要な時間（ミリ秒）。0はホストが知らない広告', 15_000),
    }),
    DownloadAddress: reply('ファイルのアドレス', downloadSound.reply, {
      url: text(
        '短時間だけ有効な、ファイルのアドレス',
        '/media/downloads/ZtKD74yLHGTP7uU0?expires=1764048600&signature=nq3V',
        {
          format: 'uri-reference',
        },
      ),
      certificate: text('利用証明書のid。発行したときだけ送る', '31khTIafxkf2Nhnme9qMjw', BASE64URL),
    }),
  },
};
