import {
  NewUseSchema,
  OwnUseSchema,
  USES_PER_CERTIFICATE_MAX,
  USES_SHOWN_MAX,
  USE_DECISIONS,
  USE_STATES,
  UseSchema,
  decideUses,
  listOwnUses,
  listUses,
  setUseMails,
} from '../../../contract/artists/uses.ts';
import { CAUSES, ID_EXAMPLE } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, choice, flag, list, part, reply, text, time } from '../api-docs/field.ts';

const address = text(
  '作品のページのURL（httpかhttps、ホスト名はPunycode）',
  'https://video.example.com/watch?v=1',
  {
    format: 'uri',
  },
);
const title = text('作品名', '週末の旅 Vol. 3');
const message = text('アーティストへのひとこと。空のことがある', 'すてきな曲をありがとうございます。');

const USE = {
  id: text('使用報告のid', 'LpsJY7vlJfVt8nKa'),
  address,
  title,
  sound: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
  sound_title: text('サウンドのタイトル', '雨上がりの朝'),
};

/** Works in which sounds were used. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'uses', title: '使用報告', position: 4 },
  calls: {
    'POST /api/certificates/{id}/uses/': {
      id: 'tellUse',
      summary: 'サウンドを使った作品をアーティストに知らせる',
      description: `ログインはいりません。1つの利用証明書で${USES_PER_CERTIFICATE_MAX}件までです。アーティストが確認するまで公開されません。`,
      refusals: {
        400: CAUSES.wrongField,
        404: 'このidの利用証明書はない',
        409: 'サウンドが公開中でないか、同じURLを報告済みか、件数の上限に達している',
      },
      isExtension: true,
      fields: { id: text('利用証明書のid', '31khTIafxkf2Nhnme9qMjw') },
    },
    'GET /api/uses/': {
      id: 'listUses',
      summary: 'サウンドやアーティストの使用作品',
      description: `アーティストが確認したものを、新しい順に${USES_SHOWN_MAX}件まで返します。sound か artist を指定します。両方なら sound の使用作品です。`,
      refusals: { 400: CAUSES.wrongQuery },
      isExtension: true,
      fields: {
        sound: text('サウンドのid', ID_EXAMPLE),
        artist: text('アーティストのユーザー名', 'kazami'),
      },
    },
    'GET /api/account/uses/': {
      id: 'listOwnUses',
      summary: '自分のサウンドの使用報告',
      description: '1つの状態のものを、新しい順に返します。',
      refusals: { 400: CAUSES.wrongQuery },
      isExtension: true,
      fields: {
        state: choice('状態', USE_STATES),
        cursor: text('前のページの next', '1764000000000-LpsJY7vlJfVt8nKa'),
      },
    },
    'POST /api/account/use-decisions/': {
      id: 'decideUses',
      summary: '使用報告を公開する、非表示にする、運営に報告する',
      description: '運営に報告したものは、運営が判断するまで変わりません。',
      refusals: {
        400: CAUSES.wrongField,
        404: '自分のサウンドの使用報告ではないものがある',
        409: 'すべて、すでにその状態か、運営に報告している',
      },
      isExtension: true,
    },
    'POST /api/account/use-mails/': {
      id: 'setUseMails',
      summary: '使用報告の週1回のメールを受け取るかどうか',
      refusals: { 400: CAUSES.wrongField },
      isExtension: true,
    },
  },
  components: {
    NewUse: body('サウンドを使った作品', NewUseSchema, {
      address: text('作品のページのURL', 'https://video.example.com/watch?v=1'),
      title: text('作品名（100文字まで）', '週末の旅 Vol. 3'),
      message: text(
        'アーティストへのひとこと（500文字まで）。公開されない',
        'すてきな曲をありがとうございます。',
      ),
    }),
    Use: reply('公開されている使用作品', UseSchema, USE),
    Uses: reply('使用作品の一覧', listUses.reply, { results: part('使用作品') }),
    OwnUse: reply('自分のサウンドの使用報告', OwnUseSchema, {
      ...USE,
      state: choice(
        'waiting は確認待ち、confirmed は公開中、hidden は非表示、reported は運営に報告したもの',
        USE_STATES,
      ),
      message,
      created_at: time('報告された日時'),
    }),
    OwnUses: reply('自分のサウンドの使用報告の1ページ', listOwnUses.reply, {
      results: part('このページの使用報告'),
      next: text('次のページの cursor。最後のページでは null', '1764000000000-LpsJY7vlJfVt8nKa'),
      is_mailed: flag('週1回のメールを受け取るかどうか', false),
    }),
    UseDecisions: body('使用報告についての操作', decideUses.body, {
      ids: list('使用報告のid', ['LpsJY7vlJfVt8nKa']),
      state: choice('操作のあとの状態', USE_DECISIONS),
    }),
    UseMails: body('使用報告のメールの設定', setUseMails.body, {
      is_mailed: flag('週1回のメールを受け取るかどうか'),
    }),
  },
};
