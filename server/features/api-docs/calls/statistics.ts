import { CAUSES, ID_EXAMPLE } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { text } from '../field.ts';

/** Plays and statistics, by method and path. */
export const STATISTICS_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/plays/': {
    id: 'countPlays',
    summary: '聴いたサウンドを知らせる',
    description:
      '5秒または終わりまで聴いたサウンドを、まとめて知らせます。ないサウンド、くり返し、ロボット、自分のサウンドは数えません。数えたかどうかは返しません。',
    refusals: { 400: CAUSES.wrongField },
    isExtension: true,
  },
  'POST /api/missed-searches/': {
    id: 'countMissedSearch',
    summary: '何も見つからなかった検索を知らせる',
    refusals: { 400: CAUSES.wrongField },
    isExtension: true,
  },
  'GET /api/account/statistics/': {
    id: 'getOwnStatistics',
    summary: '自分のサウンドの統計',
    description: '言葉は、5つ以上のネットワークから使われたものだけを返します。',
    refusals: { 400: CAUSES.wrongQuery, 404: CAUSES.notOwnSound },
    isExtension: true,
    fields: {
      span: text('期間。days は直近30日、year は直近12か月、2026-11 の形ならその月の日ごと', 'days'),
      sound: text('1つのサウンドに限るときの、サウンドのid', ID_EXAMPLE),
    },
  },
};
