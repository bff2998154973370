import {
  NewUseSchema,
  OwnUseSchema,
  USE_DECISIONS,
  USE_STATES,
  UseSchema,
  decideUses,
  listOwnUses,
  listUses,
  setUseMails,
} from '../../../../contract/uses.ts';
import { body, choice, flag, list, part, reply, text, time } from '../field.ts';

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
export const USES_COMPONENTS = {
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
};
