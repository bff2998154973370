import { PLAY_SOURCES } from '../../../contract/sounds/plays.ts';
import {
  BeforeSchema,
  FoundWordSchema,
  MissedSearchSchema,
  OwnStatisticsSchema,
  PartSchema,
  PlaySchema,
  PlaysSchema,
  SoundFiguresSchema,
  SourceCountSchema,
} from '../../../contract/artists/statistics.ts';
import { CAUSES, ID_EXAMPLE } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, choice, integer, part, reply, text } from '../api-docs/field.ts';

const date = (description: string) => text(`${description}（日本時間）`, '2026-11-01', { format: 'date' });
const soundId = text('サウンドのid', 'ZtKD74yLHGTP7uU0');
const source = choice('どこから再生したか', PLAY_SOURCES, 'search');
const plays = integer('再生の数', 42);
const FIGURES = {
  plays,
  downloads: integer('ダウンロードの数', 12),
  favorites: integer('お気に入りに加え、いまも外していない人の数', 3),
  certificates: integer('発行した利用証明書の数', 9),
  uses: integer('届いた使用報告のうち、確認したものの数', 1),
};
const reward = integer('報酬（円）。1つのサウンドに限るときは null', 12, { minimum: undefined });

/** Plays, and what became of an artist’s sounds. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'statistics', title: '再生と統計', position: 12 },
  calls: {
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
  },
  components: {
    Play: body('聴いたサウンド', PlaySchema, {
      sound: soundId,
      source,
      search: text('そのサウンドを見つけた検索。source が search のときだけ', '雨の音'),
    }),
    Plays: body('聴いたサウンドの知らせ', PlaysSchema, { plays: part('聴いたサウンド') }),
    MissedSearch: body('何も見つからなかった検索', MissedSearchSchema, {
      search: text('検索した言葉', '雨の音'),
    }),
    OwnStatistics: reply('自分のサウンドの統計', OwnStatisticsSchema, {
      unit: choice('parts の1つの長さ', ['day', 'month']),
      parts: part('日または月ごとの数。古い順'),
      before: part('比べるための、前の期間の数'),
      sources: part('どこから再生されたか。多い順'),
      sounds: part('サウンドごとの数。再生の多い順'),
      words: part('サウンドが見つかった検索。多い順'),
    }),
    StatisticsPart: reply('1日または1か月の数', PartSchema, {
      starts_on: date('始まりの日'),
      ...FIGURES,
      reward,
    }),
    StatisticsBefore: reply('前の期間の数', BeforeSchema, {
      starts_on: date('始まりの日'),
      ends_on: date('終わりの日'),
      ...FIGURES,
      reward,
    }),
    SourceCount: reply('再生のもと', SourceCountSchema, { source, plays }),
    SoundFigures: reply('サウンドごとの数', SoundFiguresSchema, {
      sound_id: soundId,
      title: text('タイトル。削除されたサウンドは null', '雨上がりの朝'),
      ...FIGURES,
    }),
    FoundWord: reply('サウンドが見つかった検索', FoundWordSchema, {
      word: text('検索された言葉', '雨の音'),
      plays,
    }),
  },
};
