import { CONTENT_ID_STATES, LICENCE_USES, MOODS, SOUND_MOODS_MAX } from '../../../contract/sound-facts.ts';
import { MUSICAL_KEYS } from '../../../contract/music.ts';
import { SOUND_SUB_GENRES_MAX } from '../../../contract/my-sounds.ts';
import { FROM_MAIL } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { FACT_FIELDS } from './fact-fields.ts';
import { choice, integer, list, part, text } from './field.ts';

const ID_EXAMPLE = 'ZtKD74yLHGTP7uU0';
const SOUND_ID = { id: text('サウンドのid', ID_EXAMPLE) };
const UPLOAD_ID = { id: text('アップロードのid', 'y475QWn7FBwnO9tL') };
const TYPE = text('サウンドの種類のid', '1');
const AI_FILTER = text('AI生成かどうか', 'false');
const SEARCH = text('検索する言葉', '雨 ピアノ');
const TRUTHS = ['true', 'false'];
const PAGE = integer('ページ番号（1から）', 1, { minimum: 1 });

/** Calls about sounds and their artists, downloads, messages, reports and uploads, by method and path. */
export const SOUND_CALLS: Readonly<Record<string, CallText>> = {
  'GET /api/sounds/': {
    id: 'listSounds',
    summary: '公開中のサウンドの一覧・検索',
    description:
      '自分の非公開のサウンドは、ログインして user と include_private=true を指定すると含まれます。',
    fields: {
      page: PAGE,
      page_size: integer('1ページの件数。省略すると20', 20, { minimum: 1 }),
      type: TYPE,
      user: text('アーティストのユーザー名', 'kazami'),
      sub_genres: list('サブジャンルのid。複数指定でき、すべてに当てはまるものを返す', ['3', '17']),
      is_ai_generated: AI_FILTER,
      ...FACT_FIELDS,
      ordering: text('並び順。relevance は検索のときだけ意味をもつ', '-created'),
      search: SEARCH,
      include_private: text('自分の非公開のサウンドも含める', 'true'),
      favorite: text('自分のお気に入りだけを返す', 'true'),
      ids: list('このidのサウンドだけを返す。複数指定できる', [ID_EXAMPLE]),
    },
  },
  'GET /api/sounds/types/': { id: 'listSoundTypes', summary: 'サウンドの種類（BGM、効果音）の一覧' },
  'GET /api/sounds/fact-counts/': {
    id: 'countFacts',
    summary: '条件を1つ加えたときの、公開中のサウンドの数',
    description:
      '数は1,000までです。is_capped は、それより多いことがあるかどうかです。検索のときは新しい1,000件のなかで数えます。時間内に数えられなかったものは含みません。',
    extension: 'sound-facts',
    fields: {
      type: TYPE,
      sub_genres: list('サブジャンルのid', ['3', '17']),
      is_ai_generated: AI_FILTER,
      ...FACT_FIELDS,
      search: SEARCH,
    },
  },
  'GET /api/search/suggestions/': {
    id: 'suggestSearches',
    summary: '何も見つからない検索の代わりになる検索',
    extension: 'search-suggestions',
    fields: { search: text('何も見つからなかった言葉', 'しおざい') },
  },
  'GET /api/search/completions/': {
    id: 'completeSearch',
    summary: '入力中の検索の候補（言葉、アーティスト、サウンド）',
    extension: 'search-completions',
    fields: { search: text('入力中の言葉', '雨') },
  },
  'GET /api/genres/': { id: 'listGenres', summary: 'ジャンルとサブジャンルの一覧' },
  'GET /api/sounds/{id}/': {
    id: 'getSound',
    summary: '1つのサウンド',
    extension: 'sound-pages',
    fields: SOUND_ID,
  },
  'GET /api/sounds/{id}/similar/': {
    id: 'listSimilar',
    summary: '音の似た、同じ種類の公開中のサウンド（最大12件）',
    extension: 'similar-sounds',
    fields: SOUND_ID,
  },
  'POST /api/sounds/{id}/toggle-favorite': {
    id: 'toggleFavorite',
    summary: 'お気に入りに加える・外す',
    fields: SOUND_ID,
  },
  'POST /api/sounds/{id}/download-intents': {
    id: 'beginDownload',
    summary: 'ダウンロードを始める',
    description: '返された id を、広告のあとのダウンロードに intent として渡します。',
    extension: 'download-intents',
    fields: SOUND_ID,
  },
  'POST /api/download-intents/{id}/watching': {
    id: 'reportWatching',
    summary: 'お知らせ広告の視聴を知らせる',
    description: '視聴時間はホストの時計で測ります。',
    extension: 'download-intents',
    fields: { id: text('ダウンロードを始めたときのid', 'ResszkLkn8VH0tx4d7DxmA') },
  },
  'POST /api/sounds/{id}/download': {
    id: 'downloadSound',
    summary: 'ファイルのアドレスを得る',
    description: '返された url は短時間だけ有効で、このサウンドにだけ使えます。',
    fields: {
      ...SOUND_ID,
      log: text('広告の視聴のあとかどうか', 'true'),
      intent: text('ダウンロードを始めたときのid', 'ResszkLkn8VH0tx4d7DxmA'),
      provider: text('表示した広告の提供元', 'house'),
    },
  },
  'GET /api/certificates/{id}/': {
    id: 'getCertificate',
    summary: '1つの利用証明書',
    description:
      'certificate を、届いた順のまま空白なしのJSONにしたUTF-8のバイト列が、署名の対象です。サウンドが削除されても変わりません。',
    extension: 'certificates',
    fields: { id: text('ダウンロードで返された certificate', '31khTIafxkf2Nhnme9qMjw') },
  },
  'GET /api/certificate-keys/': {
    id: 'listCertificateKeys',
    summary: '利用証明書の署名を確かめる公開鍵',
    description: '以前の鍵も含みます。',
    extension: 'certificates',
  },
  'GET /api/licences/{hash}/': {
    id: 'getLicence',
    summary: '利用証明書が示す利用条件',
    description: 'title、空行、body をつないだUTF-8のバイト列のSHA-256が hash です。本文は変わりません。',
    extension: 'certificates',
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
    extension: 'certificates',
    fields: { page: PAGE },
  },
  'GET /api/account/artists/': {
    id: 'listArtists',
    summary: '注目のアーティスト',
    extension: 'artist-list',
  },
  'GET /api/account/artist/{username}/': {
    id: 'getArtist',
    summary: 'アーティストの公開プロフィール',
    description:
      '以前のユーザー名では、現在の名前のプロフィールを返します。メッセージの宛先は伏せ字になります。',
    fields: { username: text('ユーザー名', 'kazami') },
  },
  'POST /api/messages/send/': {
    id: 'sendMessage',
    summary: 'アーティストにメッセージを送る',
    description:
      'recipient_email はアーティストのプロフィールの値で、実際の宛先はホストが調べます。share_email は、ログインしている人が返信を希望する場合だけ意味をもちます（reply-address）。',
  },
  'POST /api/contact/': { id: 'sendContact', summary: '運営に問い合わせる', extension: 'contact' },
  'POST /api/sounds/{id}/reports/': {
    id: 'submitReport',
    summary: 'サウンドを報告する',
    description:
      '届いた確認メールのリンクを開くまで、報告は受け付けられません。copyright と likeness では relation と is_truthful が必要です。',
    extension: 'reports',
    fields: SOUND_ID,
  },
  'POST /api/reports/view/': {
    id: 'viewReport',
    summary: '自分がした報告を見る',
    description: FROM_MAIL,
    extension: 'reports',
  },
  'POST /api/reports/confirm/': {
    id: 'confirmReport',
    summary: '報告者のメールアドレスを確認する',
    description: FROM_MAIL,
    extension: 'reports',
  },
  'GET /api/account/reports/': {
    id: 'listOwnReports',
    summary: '自分のサウンドへの報告',
    extension: 'reports',
  },
  'POST /api/account/reports/{id}/answer/': {
    id: 'answerReport',
    summary: '報告に回答する',
    description: '回答は1回だけです。',
    extension: 'reports',
    fields: { id: text('報告のid', 'LpsJY7vlJfVt8nKa') },
  },
  'POST /api/account/report-answers/': {
    id: 'answerReports',
    summary: '複数の報告に同じ回答をする',
    description:
      '回答は、それぞれの報告に1回だけです。すでに回答した報告と判断の終わった報告は、そのまま返します。',
    extension: 'report-answers',
  },
  'POST /api/sounds/': {
    id: 'uploadSound',
    summary: 'サウンドを追加する',
    description:
      '追加したサウンドは非公開です。file の代わりに、分割アップロードの id を upload で渡すこともできます（resumable-uploads）。',
    fields: {
      file: part('MP3、またはAACのM4A。60分まで'),
      types: TYPE,
      filename: text('ファイル名', 'ame-agari.mp3'),
      upload: text('終わった分割アップロードのid', 'y475QWn7FBwnO9tL'),
    },
  },
  'PATCH /api/sounds/{id}/': {
    id: 'updateSound',
    summary: '自分のサウンドを変更する',
    description: '変更する項目だけを送ります。',
    fields: {
      ...SOUND_ID,
      thumbnail: part('サムネイルの画像'),
      title: text('タイトル（100文字まで）', '雨上がりの朝'),
      is_published: choice('公開するかどうか', TRUTHS),
      description: text('説明（2,000文字まで）', 'ピアノとギターの静かな曲です。'),
      is_ai_generated: choice('AI生成かどうか', TRUTHS),
      sub_genres: list(
        `サブジャンルのid。${SOUND_SUB_GENRES_MAX}個まで繰り返せる。空の値を1つ送るとすべて外れる`,
        ['3', '17'],
      ),
      filename: text('ファイル名（200文字まで）', 'ame-agari.mp3'),
      is_loopable: choice('つなぎ目なく繰り返せるかどうか', TRUTHS),
      has_vocals: choice('ボーカルがあるかどうか。空の値は未回答', ['', ...TRUTHS], 'false'),
      moods: list(
        `雰囲気。${SOUND_MOODS_MAX}つまで繰り返せる。空の値を1つ送るとすべて外れる`,
        ['calm', 'nostalgic'],
        { enum: ['', ...MOODS] },
      ),
      licence_uses: list(
        '使ってよい用途。site-config の licence_uses から選び、繰り返せる。空の値を1つ送るとサイトの利用規約のとおりになる',
        ['video', 'games'],
        { enum: ['', ...LICENCE_USES] },
      ),
      content_id: choice(
        'Content IDに登録しているかどうか。空の値は未回答',
        ['', ...CONTENT_ID_STATES],
        'none',
      ),
      bpm: text('テンポ（BPM）。空の値は推定に戻す', '92.5'),
      key: choice('キー。空の値は推定に戻す', ['', ...MUSICAL_KEYS], 'F#m'),
    },
  },
  'DELETE /api/sounds/{id}/': {
    id: 'deleteSound',
    summary: '自分のサウンドを削除する',
    description:
      'すぐにどこにも表示されなくなり、7日後に完全に削除されます。それまでは、メールのリンクから元に戻せます。24時間に4件以上の削除には、最近のパスワードの入力が必要です。',
    fields: SOUND_ID,
  },
  'OPTIONS /api/uploads/': {
    id: 'describeUploads',
    summary: '分割アップロードの仕様を得る',
    extension: 'resumable-uploads',
  },
  'POST /api/uploads/': {
    id: 'createUpload',
    summary: '分割アップロードを始める',
    description: 'tus 1.0 の creation です。アドレスは Location で返ります。24時間で期限が切れます。',
    extension: 'resumable-uploads',
  },
  'HEAD /api/uploads/{id}': {
    id: 'getUploadOffset',
    summary: '続きの位置を得る',
    extension: 'resumable-uploads',
    fields: UPLOAD_ID,
  },
  'PATCH /api/uploads/{id}': {
    id: 'sendUploadPiece',
    summary: '続きを送る',
    extension: 'resumable-uploads',
    fields: UPLOAD_ID,
  },
  'DELETE /api/uploads/{id}': {
    id: 'deleteUpload',
    summary: '分割アップロードをやめる',
    extension: 'resumable-uploads',
    fields: UPLOAD_ID,
  },
};
