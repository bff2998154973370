import { FACT_PARAMETERS, toFactName } from '../../../contract/sound-facts.ts';
import type { FactName } from '../../../contract/sound-facts.ts';
import { FROM_MAIL } from './call-text.ts';
import type { CallText } from './call-text.ts';

const FACTS: Readonly<Record<FactName, string>> = {
  length: '長さの範囲（秒）。複数指定でき、どれかに当てはまるものを返す',
  tempo: 'テンポの範囲（BPM）。複数指定でき、どれかに当てはまるものを返す',
  key: 'キー。major と minor は、すべての長調・短調。複数指定でき、どれかに当てはまるものを返す',
  loopable: 'yes は、つなぎ目なく繰り返せるもの',
  vocals: 'ボーカルがあるかどうか。未回答のものは返さない',
  mood: '雰囲気。複数指定でき、すべてに当てはまるものを返す',
  use: '使ってよい用途。複数指定でき、すべてに当てはまるものを返す',
  content_id: 'Content IDに登録しているかどうか。未回答のものは返さない',
};
const FACT_FIELDS = Object.fromEntries(
  FACT_PARAMETERS.map((parameter) => {
    const name = toFactName(parameter);
    return [parameter, parameter === name ? FACTS[name] : `この ${name} のものを除く。複数指定できる`];
  }),
);

const SOUND_ID = { id: 'サウンドのid' };

/** Calls about sounds and their artists, downloads, messages, reports and uploads, by method and path. */
export const SOUND_CALLS: Readonly<Record<string, CallText>> = {
  'GET /api/sounds/': {
    id: 'listSounds',
    summary: '公開中のサウンドの一覧・検索',
    description:
      '自分の非公開のサウンドは、ログインして user と include_private=true を指定すると含まれます。',
    fields: {
      page: 'ページ番号（1から）',
      page_size: '1ページの件数。省略すると20',
      type: 'サウンドの種類のid',
      user: 'アーティストのユーザー名',
      sub_genres: 'サブジャンルのid。複数指定でき、すべてに当てはまるものを返す',
      is_ai_generated: 'AI生成かどうか',
      ...FACT_FIELDS,
      ordering: '並び順。relevance は検索のときだけ意味をもつ',
      search: '検索する言葉',
      include_private: '自分の非公開のサウンドも含める',
      favorite: '自分のお気に入りだけを返す',
      ids: 'このidのサウンドだけを返す。複数指定できる',
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
      type: 'サウンドの種類のid',
      sub_genres: 'サブジャンルのid',
      is_ai_generated: 'AI生成かどうか',
      ...FACT_FIELDS,
      search: '検索する言葉',
    },
  },
  'GET /api/search/suggestions/': {
    id: 'suggestSearches',
    summary: '何も見つからない検索の代わりになる検索',
    extension: 'search-suggestions',
    fields: { search: '何も見つからなかった言葉' },
  },
  'GET /api/search/completions/': {
    id: 'completeSearch',
    summary: '入力中の検索の候補（言葉、アーティスト、サウンド）',
    extension: 'search-completions',
    fields: { search: '入力中の言葉' },
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
    fields: { id: 'ダウンロードを始めたときのid' },
  },
  'POST /api/sounds/{id}/download': {
    id: 'downloadSound',
    summary: 'ファイルのアドレスを得る',
    description: '返された url は短時間だけ有効で、このサウンドにだけ使えます。',
    fields: {
      ...SOUND_ID,
      log: '広告の視聴のあとかどうか',
      intent: 'ダウンロードを始めたときのid',
      provider: '表示した広告の提供元',
    },
  },
  'GET /api/certificates/{id}/': {
    id: 'getCertificate',
    summary: '1つの利用証明書',
    description:
      'certificate を、届いた順のまま空白なしのJSONにしたUTF-8のバイト列が、署名の対象です。サウンドが削除されても変わりません。',
    extension: 'certificates',
    fields: { id: 'ダウンロードで返された certificate' },
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
    fields: { hash: '利用証明書の licence_sha256' },
  },
  'GET /api/account/certificates/': {
    id: 'listOwnCertificates',
    summary: '自分の利用証明書の一覧',
    description: 'ログインしてダウンロードしたものを、新しい順に返します。',
    extension: 'certificates',
    fields: { page: 'ページ番号（1から）' },
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
    fields: { username: 'ユーザー名' },
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
    fields: { id: '報告のid' },
  },
  'POST /api/sounds/': {
    id: 'uploadSound',
    summary: 'サウンドを追加する',
    description:
      '追加したサウンドは非公開です。file の代わりに、分割アップロードの id を upload で渡すこともできます（resumable-uploads）。',
    fields: {
      file: 'MP3、またはAACのM4A。60分まで',
      types: 'サウンドの種類のid',
      filename: 'ファイル名',
      upload: '終わった分割アップロードのid',
    },
  },
  'PATCH /api/sounds/{id}/': {
    id: 'updateSound',
    summary: '自分のサウンドを変更する',
    description: '変更する項目だけを送ります。',
    fields: {
      ...SOUND_ID,
      thumbnail: 'サムネイルの画像',
      title: 'タイトル（100文字まで）',
      is_published: '公開するかどうか（true、false）',
      description: '説明（2,000文字まで）',
      is_ai_generated: 'AI生成かどうか（true、false）',
      sub_genres: 'サブジャンルのid。14個まで繰り返せる。空の値を1つ送るとすべて外れる',
      filename: 'ファイル名（200文字まで）',
      is_loopable: 'つなぎ目なく繰り返せるかどうか（true、false）',
      has_vocals: 'ボーカルがあるかどうか（true、false）。空の値は未回答',
      moods: '雰囲気。3つまで繰り返せる。空の値を1つ送るとすべて外れる',
      licence_uses:
        '使ってよい用途。site-config の licence_uses から選び、繰り返せる。空の値を1つ送るとサイトの利用規約のとおりになる',
      content_id: 'Content IDに登録しているかどうか（none、registered）。空の値は未回答',
    },
  },
  'DELETE /api/sounds/{id}/': {
    id: 'deleteSound',
    summary: '自分のサウンドを削除する',
    description: '元に戻せません。',
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
    fields: { id: 'アップロードのid' },
  },
  'PATCH /api/uploads/{id}': {
    id: 'sendUploadPiece',
    summary: '続きを送る',
    extension: 'resumable-uploads',
    fields: { id: 'アップロードのid' },
  },
  'DELETE /api/uploads/{id}': {
    id: 'deleteUpload',
    summary: '分割アップロードをやめる',
    extension: 'resumable-uploads',
    fields: { id: 'アップロードのid' },
  },
};
