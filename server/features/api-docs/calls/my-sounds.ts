import { MUSICAL_KEYS } from '../../../../contract/music.ts';
import { SOUND_SUB_GENRES_MAX } from '../../../../contract/my-sounds.ts';
import { CONTENT_ID_STATES, LICENCE_USES, MOODS, SOUND_MOODS_MAX } from '../../../../contract/sound-facts.ts';
import { CAUSES, SOUND_ID, TYPE } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { choice, list, part, text } from '../field.ts';

const UPLOAD_ID = { id: text('アップロードのid', 'y475QWn7FBwnO9tL') };
const TRUTHS = ['true', 'false'];

const GUARDED =
  '使いみちを追加するかContent IDの回答を緩める変更と、公開しているサウンドの内容を24時間に4件以上で置き換えるか外す変更には、最近のパスワードの入力が必要で、取り消しのリンクをメールで送ります。';

/** What an artist changes of one sound, or of several. */
export const CHANGE_FIELDS = {
  title: text('タイトル（100文字まで）', '雨上がりの朝'),
  is_published: choice('公開するかどうか', TRUTHS),
  description: text('説明（2,000文字まで）', 'ピアノとギターの静かな曲です。'),
  is_ai_generated: choice('AI生成かどうか', TRUTHS),
  sub_genres: list(
    `サブジャンルのid。${SOUND_SUB_GENRES_MAX}個まで繰り返せる。空の値を1つ送るとすべて外れる`,
    ['3', '17'],
  ),
  is_loopable: choice('つなぎ目なく繰り返せるかどうか', TRUTHS),
  has_vocals: choice('ボーカルがあるかどうか。空の値は未回答', ['', ...TRUTHS], 'false'),
  moods: list(
    `雰囲気。${SOUND_MOODS_MAX}つまで繰り返せる。空の値を1つ送るとすべて外れる`,
    ['calm', 'nostalgic'],
    { enum: ['', ...MOODS] },
  ),
  licence_uses: list(
    '追加で認める用途。site-config の licence_uses から選び、繰り返せる。ほかの用途は送っても変わらない。空の値を1つ送るとすべて外れる',
    ['venues', 'broadcast'],
    { enum: ['', ...LICENCE_USES] },
  ),
  content_id: choice('Content IDに登録しているかどうか。空の値は未回答', ['', ...CONTENT_ID_STATES], 'none'),
  bpm: text('テンポ（BPM）。空の値は推定に戻す', '92.5'),
  key: choice('キー。空の値は推定に戻す', ['', ...MUSICAL_KEYS], 'F#m'),
};

/** An artist’s own sounds and their uploads, by method and path. */
export const MY_SOUNDS_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/sounds/': {
    id: 'uploadSound',
    summary: 'サウンドを追加する',
    description:
      '追加したサウンドは非公開です。file の代わりに、分割アップロードの id を upload で渡すこともできます（resumable-uploads）。',
    refusals: {
      400: 'ファイルがない、中身がMP3でもM4Aでもない、長すぎる、または同じものがある。項目名は本文に示す',
      403: 'クオリティチェックを通過していないか、アカウントが制限されている',
      404: CAUSES.noUpload,
      409: 'サウンドの数か容量の上限に達している。またはアップロードが終わっていないか、使われている',
      413: CAUSES.fileTooLarge,
      507: CAUSES.diskFull,
    },
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
    description: `変更する項目だけを送ります。${GUARDED}`,
    refusals: {
      400: '値に誤りがある。項目名は本文に示す',
      403: 'このサウンドは変更できないか、アカウントが制限されている。または、パスワードの入力が必要',
      404: CAUSES.notOwnSound,
      409: 'updated_at を読んだあとに変更されている。何も変更しない',
      413: 'サムネイルが大きすぎる',
    },
    fields: {
      ...SOUND_ID,
      thumbnail: part('サムネイルの画像'),
      ...CHANGE_FIELDS,
      filename: text('ファイル名（200文字まで）', 'ame-agari.mp3'),
      updated_at: text(
        '読んだときの updated_at。そのあとに変更されたサウンドは変更しない',
        '2026-11-22T05:00:00.000Z',
      ),
    },
  },
  'POST /api/sounds/changes/': {
    id: 'updateSounds',
    summary: '自分の複数のサウンドを変更する',
    description:
      '変更できるサウンドをすべて変更します。変更できないものはそのままで、refused に理由とともに返します。値の書き方は PATCH /api/sounds/{id}/ と同じです。' +
      GUARDED,
    refusals: {
      400: '値に誤りがあるか、サウンドの数が多すぎる。何も変更しない',
      403: CAUSES.passwordNeeded,
      413: '本文が長すぎる',
    },
    isExtension: true,
  },
  'GET /api/sounds/{id}/changes/': {
    id: 'listSoundChanges',
    summary: '自分のサウンドの変更の記録を得る',
    description: '7日間の変更を、新しいものから返します。多いときは、続いた変更をまとめます。',
    refusals: { 404: CAUSES.notOwnSound },
    isExtension: true,
    fields: SOUND_ID,
  },
  'DELETE /api/sounds/{id}/': {
    id: 'deleteSound',
    summary: '自分のサウンドを削除する',
    description:
      'すぐにどこにも表示されなくなり、7日後に完全に削除されます。それまでは、メールのリンクから元に戻せます。24時間に4件以上の削除には、最近のパスワードの入力が必要です。',
    refusals: { 403: CAUSES.passwordNeeded, 404: CAUSES.notOwnSound },
    fields: SOUND_ID,
  },
  'OPTIONS /api/uploads/': {
    id: 'describeUploads',
    summary: '分割アップロードの仕様を得る',
    isExtension: true,
  },
  'POST /api/uploads/': {
    id: 'createUpload',
    summary: '分割アップロードを始める',
    description: 'tus 1.0 の creation です。アドレスは Location で返ります。24時間で期限が切れます。',
    refusals: {
      409: 'サウンドの数か容量の上限に達している。またはアップロードが終わっていない',
      412: CAUSES.otherTus,
      413: CAUSES.fileTooLarge,
      507: CAUSES.diskFull,
    },
    isExtension: true,
  },
  'HEAD /api/uploads/{id}': {
    id: 'getUploadOffset',
    summary: '続きの位置を得る',
    refusals: { 404: CAUSES.noUpload, 409: CAUSES.uploadInUse, 412: CAUSES.otherTus },
    isExtension: true,
    fields: UPLOAD_ID,
  },
  'PATCH /api/uploads/{id}': {
    id: 'sendUploadPiece',
    summary: '続きを送る',
    refusals: {
      404: CAUSES.noUpload,
      409: '続きの位置が合わない。位置を調べてから送り直す。または別の通信で処理している',
      412: CAUSES.otherTus,
      413: CAUSES.fileTooLarge,
      415: 'Content-Type が application/offset+octet-stream ではない',
      507: CAUSES.diskFull,
    },
    isExtension: true,
    fields: UPLOAD_ID,
  },
  'DELETE /api/uploads/{id}': {
    id: 'deleteUpload',
    summary: '分割アップロードをやめる',
    refusals: { 404: CAUSES.noUpload, 409: CAUSES.uploadInUse, 412: CAUSES.otherTus },
    isExtension: true,
    fields: UPLOAD_ID,
  },
};
