import { FACT_FILTERS, FACT_PARAMETERS, toFactName } from '../../../contract/sounds/sound-facts.ts';
import type { FactName } from '../../../contract/sounds/sound-facts.ts';
import { CAUSES, ID_EXAMPLE, PAGE, SOUND_ID, TYPE } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { extended, integer, list, text } from '../api-docs/field.ts';
import type { Field } from '../api-docs/field.ts';
import { SEARCH_COMPONENTS, SOUND_COMPONENTS } from './api-components.ts';

const SEARCH_TOO_LONG = '検索する言葉が長すぎる';
const AI_FILTER = text('AI生成かどうか', 'false');
const SEARCH = text('検索する言葉', '雨 ピアノ');

const FACTS: Readonly<Record<FactName, string>> = {
  length: '長さの範囲（秒）。複数指定でき、どれかに当てはまるものを返す',
  tempo: 'テンポの範囲（BPM）。複数指定でき、どれかに当てはまるものを返す',
  key: 'キー。major と minor は、すべての長調・短調。複数指定でき、どれかに当てはまるものを返す',
  loopable: 'yes は、つなぎ目なく繰り返せるもの',
  vocals: 'ボーカルがあるかどうか。未回答のものは返さない',
  mood: '雰囲気。複数指定でき、すべてに当てはまるものを返す',
  use: '使ってよい用途。複数指定でき、すべてに当てはまるものを返す。サイトの利用条件が認める用途は、どのサウンドにも当てはまる',
  content_id: 'Content IDに登録しているかどうか。未回答のものは返さない',
};

/** The query parameters of the filters by facts. */
const FACT_FIELDS: Readonly<Record<string, Field>> = Object.fromEntries(
  FACT_PARAMETERS.map((parameter) => {
    const name = toFactName(parameter);
    const description = parameter === name ? FACTS[name] : `この ${name} のものを除く。複数指定できる`;
    return [parameter, { description, example: FACT_FILTERS[name].values.slice(0, 1) }];
  }),
);

/** Sounds in search and listings. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'catalogue', title: 'サウンドを探す', position: 1 },
  calls: {
    'GET /api/sounds/': {
      id: 'listSounds',
      summary: '公開中のサウンドの一覧・検索',
      description:
        '自分の非公開のサウンドは、ログインして user と include_private=true を指定すると含まれます。',
      refusals: { 400: CAUSES.wrongQuery },
      fields: {
        page: PAGE,
        page_size: integer('1ページの件数。省略すると20', 20, { minimum: 1 }),
        type: TYPE,
        user: text('アーティストのユーザー名', 'kazami'),
        sub_genres: extended(
          list('サブジャンルのid。複数指定でき、すべてに当てはまるものを返す', ['3', '17']),
        ),
        is_ai_generated: extended(AI_FILTER),
        ...Object.fromEntries(Object.entries(FACT_FIELDS).map(([name, field]) => [name, extended(field)])),
        ordering: extended(text('並び順。relevance は検索のときだけ意味をもつ', '-created')),
        search: extended(SEARCH),
        include_private: text('自分の非公開のサウンドも含める', 'true'),
        favorite: text('自分のお気に入りだけを返す', 'true'),
        ids: extended(list('このidのサウンドだけを返す。複数指定できる', [ID_EXAMPLE])),
      },
    },
    'GET /api/sounds/types/': { id: 'listSoundTypes', summary: 'サウンドの種類（BGM、効果音）の一覧' },
    'GET /api/sounds/fact-counts/': {
      id: 'countFacts',
      summary: '条件を1つ加えたときの、公開中のサウンドの数',
      description:
        '数は1,000までです。is_capped は、それより多いことがあるかどうかです。検索のときは新しい1,000件のなかで数えます。時間内に数えられなかったものは含みません。',
      refusals: { 400: CAUSES.wrongQuery },
      isExtension: true,
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
      refusals: { 400: SEARCH_TOO_LONG },
      isExtension: true,
      fields: { search: text('何も見つからなかった言葉', 'しおざい') },
    },
    'GET /api/search/completions/': {
      id: 'completeSearch',
      summary: '入力中の検索の候補（言葉、アーティスト、サウンド）',
      refusals: { 400: SEARCH_TOO_LONG },
      isExtension: true,
      fields: { search: text('入力中の言葉', '雨') },
    },
    'GET /api/genres/': { id: 'listGenres', summary: 'ジャンルとサブジャンルの一覧' },
    'GET /api/sounds/{id}/': {
      id: 'getSound',
      summary: '1つのサウンド',
      refusals: { 404: CAUSES.noSound },
      isExtension: true,
      fields: SOUND_ID,
    },
    'GET /api/sounds/{id}/similar/': {
      id: 'listSimilar',
      summary: '音の似た、同じ種類の公開中のサウンド（最大12件）',
      refusals: { 404: CAUSES.noSound },
      isExtension: true,
      fields: SOUND_ID,
    },
    'POST /api/sounds/{id}/toggle-favorite': {
      id: 'toggleFavorite',
      summary: 'お気に入りに加える・外す',
      refusals: { 404: CAUSES.noSound },
      fields: SOUND_ID,
    },
    'GET /api/sitemap/': {
      id: 'getSiteMap',
      summary: 'サイトマップの部の数',
      isExtension: true,
    },
    'GET /api/sitemap/{part}/': {
      id: 'getSiteMapPart',
      summary: 'サイトマップの1つの部（公開中のサウンドとアーティスト）',
      description:
        '部の番号は1からです。サウンドは追加した順で、アーティストは最新のサウンドがある部に含まれます。',
      refusals: { 404: 'この番号の部はない' },
      isExtension: true,
      fields: { part: integer('部の番号', 1, { minimum: 1 }) },
    },
  },
  components: { ...SOUND_COMPONENTS, ...SEARCH_COMPONENTS },
};
