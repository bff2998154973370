import { MUSICAL_KEYS } from '../../../contract/sounds/music.ts';
import {
  RefusedRowSchema,
  RowChangeSchema,
  SOUND_SUB_GENRES_MAX,
  updateSound,
  updateSounds,
} from '../../../contract/sounds/my-sounds.ts';
import {
  CHANGE_WAYS,
  ChangedFieldSchema,
  SoundHistoryEntrySchema,
  listSoundChanges,
} from '../../../contract/sounds/sound-changes.ts';
import { CAUSES, SOUND_ID, TYPE } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { TRUTHS, SOUND_CHANGE_FIELDS } from '../catalogue/api-components.ts';
import { body, choice, flag, list, part, reply, text, time } from '../api-docs/field.ts';
import { NO_UPLOAD, UPLOAD_CALLS } from './uploads/api-texts.ts';

const GUARDED =
  '使いみちを追加するかContent IDの回答を緩める変更と、公開しているサウンドの内容を24時間に4件以上で置き換えるか外す変更には、最近のパスワードの入力が必要で、取り消しのリンクをメールで送ります。';

/** What an artist changes of one sound, or of several. */
const CHANGE_FIELDS = {
  title: text('タイトル（100文字まで）', '雨上がりの朝'),
  is_published: choice('公開するかどうか', TRUTHS),
  description: text('説明（2,000文字まで）', 'ピアノとギターの静かな曲です。'),
  sub_genres: list(
    `サブジャンルのid。${SOUND_SUB_GENRES_MAX}個まで繰り返せる。空の値を1つ送るとすべて外れる`,
    ['3', '17'],
  ),
  ...SOUND_CHANGE_FIELDS,
  bpm: text('テンポ（BPM）。空の値は推定に戻す', '92.5'),
  key: choice('キー。空の値は推定に戻す', ['', ...MUSICAL_KEYS], 'F#m'),
};

/** An artist’s own sounds and their uploads. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'my-sounds', title: '自分のサウンド', position: 10 },
  calls: {
    'POST /api/sounds/': {
      id: 'uploadSound',
      summary: 'サウンドを追加する',
      description:
        '追加したサウンドは非公開です。file の代わりに、分割アップロードの id を upload で渡すこともできます（resumable-uploads）。',
      refusals: {
        400: 'ファイルがない、中身がMP3でもM4Aでもない、長すぎる、または同じものがある。項目名は本文に示す',
        403: 'クオリティチェックを通過していないか、アカウントが制限されている',
        404: NO_UPLOAD,
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
    ...UPLOAD_CALLS,
  },
  components: {
    ChangedSound: reply('追加または変更したサウンド', updateSound.reply, {
      sound: part('変更後のサウンド'),
    }),
    SoundChanges: body('複数のサウンドの変更', updateSounds.body, { sounds: part('変更するサウンド') }),
    SoundRowChange: body('1つのサウンドの変更', RowChangeSchema, {
      id: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
      updated_at: time('読んだときの更新日時。そのあとに変更されていたら、そのままにする'),
      ...CHANGE_FIELDS,
    }),
    SoundsChanged: reply('複数のサウンドの変更の結果', updateSounds.reply, {
      changed: part('変更後のサウンド'),
      refused: part('変更しなかったサウンド'),
    }),
    RefusedSound: reply('変更しなかったサウンド', RefusedRowSchema, {
      id: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
      reason: text('理由', 'ほかで変更されたため、そのままにしました。'),
    }),
    SoundHistory: reply('サウンドの変更の記録', listSoundChanges.reply, {
      changes: part('変更。新しい順'),
    }),
    SoundHistoryEntry: reply('1回の変更', SoundHistoryEntrySchema, {
      id: text('記録のid', '12'),
      changed_at: time('変更した日時'),
      way: choice('変更の方法', CHANGE_WAYS, 'edit'),
      can_undo: flag('変更したすべての項目が、今もその値のままかどうか'),
      fields: part('変更した項目'),
    }),
    ChangedField: reply('変更した項目', ChangedFieldSchema, {
      name: text('項目の名前。PATCH /api/sounds/{id}/ と同じ。画像は thumbnail で、値はない', 'title'),
      before: list('前の値。空のときはない', ['雨の庭']),
      after: list('後の値。空のときはない', ['雨上がりの庭']),
    }),
  },
};
