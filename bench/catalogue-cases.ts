import { RESULTS_REACHABLE } from '../contract/sounds/listing-limits.ts';
import { FACT_FILTERS, FACT_NAMES } from '../contract/sounds/sound-facts.ts';
import type { FactName } from '../contract/sounds/sound-facts.ts';
import type { SoundQuery } from '../contract/sounds/sounds.ts';
import { completeSearch } from '../server/features/catalogue/search/completions.ts';
import { countFacts } from '../server/features/catalogue/listing/fact-counts.ts';
import { listSounds } from '../server/features/catalogue/service.ts';
import type { Database } from '../server/platform/database/open.ts';
import { SUB_GENRES, generateRow, toArtistCount, toArtistName } from './catalogue-rows.ts';

/** What is measured: one call of the service, each time with another query. */
export interface Case {
  readonly name: string;
  readonly makeQuery: MakeQuery;
  readonly ask: (database: Database, query: SoundQuery) => Promise<unknown>;
}

type MakeQuery = (random: () => number, sounds: number) => SoundQuery;
const LAST_PAGE = RESULTS_REACHABLE / 20;
const pick = <Item>(random: () => number, items: readonly Item[]) =>
  items[Math.floor(random() * items.length)] as Item;
const subGenre = (random: () => number, skew = 1) =>
  String(1 + Math.floor(random() ** skew * SUB_GENRES.length));
const artist = (random: () => number, sounds: number) =>
  toArtistName(Math.floor(random() ** 2 * toArtistCount(sounds)));
const aType = (random: () => number) => pick(random, ['1', '2']);
const fact = (random: () => number, name: FactName) => pick<string>(random, FACT_FILTERS[name].values);
function factOfEach(random: () => number): SoundQuery {
  return Object.fromEntries(FACT_NAMES.map((name) => [name, [fact(random, name)]]));
}
const COMMON = ['ピアノ', '戦闘', '雨', '夜', 'ループ', 'ゲーム', '曲', '静かな', '海', '8bit'];
const READINGS = ['あめ', 'よる', 'うみ', 'まほう', 'せんとう', 'あしおと', 'きょく'];
const ROMAJI = ['ame', 'yoru', 'umi', 'piano', 'mahou', 'neko', 'sentou'];
const SYNONYMS = ['カフェ', 'ホラー', 'かわいい', 'バトル', 'rain', 'night', 'magic'];
const BROAD = ['動物', '武器', '天気', '楽器', '悲しい', '乗り物', '自然'];
const ONOMATOPOEIA = ['ドカーン', 'ザーザー', 'カンカン', 'ゴロゴロ', 'シャキーン', 'ドンドン'];
const SENTENCES = ['静かな雨の夜に聴きたい曲', '海辺を歩く足音', '剣で戦う激しい戦闘曲', '遠い街の朝の影'];
const WRONG = ['ピアナ', 'せんとお', 'まほお', '短剣', 'エクスカリバー', '隙間風', 'pianno', '鵺鵺鵺'];
const FOUND_EVERYWHERE = ['効果音', 'bgm', '工房', 'ムード', 'の'];
const rareWord = (random: () => number, sounds: number) => {
  for (;;) {
    const { title } = generateRow(1 + Math.floor(random() * sounds), sounds);
    const rare = /[あ-ん]{4}/.exec(title)?.[0];
    if (rare !== undefined) return rare;
  }
};

const LISTINGS: Readonly<Record<string, MakeQuery>> = {
  'list: newest': () => ({}),
  'list: downloads': () => ({ ordering: '-downloads' }),
  'list: favourites': () => ({ ordering: '-favorites' }),
  'list: last page, newest': () => ({ page: LAST_PAGE }),
  'list: last page, downloads': () => ({ page: LAST_PAGE, ordering: '-downloads' }),
  'list: page beyond the last': () => ({ page: 40_000 }),
  'filter: type': (random) => ({ type: aType(random) }),
  'filter: type, downloads': (random) => ({ type: aType(random), ordering: '-downloads' }),
  'filter: artist': (random, sounds) => ({ user: artist(random, sounds) }),
  'filter: artist, downloads': (random, sounds) => ({ user: artist(random, sounds), ordering: '-downloads' }),
  'filter: largest artist, downloads': () => ({ user: toArtistName(0), ordering: '-downloads' }),
  'filter: 1 sub-genre': (random) => ({ sub_genres: [subGenre(random)] }),
  'filter: 1 sub-genre, downloads': (random) => ({ sub_genres: [subGenre(random)], ordering: '-downloads' }),
  'filter: 2 sub-genres': (random) => ({ sub_genres: [subGenre(random), subGenre(random)] }),
  'filter: 2 sub-genres, downloads': (random) => ({
    sub_genres: [subGenre(random), subGenre(random)],
    ordering: '-downloads',
  }),
  'filter: 3 sub-genres, favourites': (random) => ({
    sub_genres: [subGenre(random, 3), subGenre(random, 3), subGenre(random, 3)],
    ordering: '-favorites',
  }),
  'filter: AI': (random) => ({ is_ai_generated: random() < 0.5 }),
  'filter: AI, downloads, last page': (random) => ({
    is_ai_generated: random() < 0.5,
    ordering: '-downloads',
    page: LAST_PAGE,
  }),
  'filter: type, AI, sub-genre, downloads': (random) => ({
    type: aType(random),
    is_ai_generated: false,
    sub_genres: [subGenre(random)],
    ordering: '-downloads',
  }),
  'filter: type, sub-genre, last page': (random) => ({
    type: aType(random),
    sub_genres: [subGenre(random, 2)],
    page: LAST_PAGE,
  }),
  'facts: length': (random) => ({ length: [fact(random, 'length')] }),
  'facts: mood': (random) => ({ mood: [fact(random, 'mood')] }),
  'facts: mood, downloads': (random) => ({ mood: [fact(random, 'mood')], ordering: '-downloads' }),
  'facts: 2 moods, last page': (random) => ({
    mood: [fact(random, 'mood'), fact(random, 'mood')],
    page: LAST_PAGE,
  }),
  'facts: without a mood': (random) => ({ '-mood': [fact(random, 'mood')] }),
  'facts: without a mood, downloads': (random) => ({
    '-mood': [fact(random, 'mood')],
    ordering: '-downloads',
  }),
  'facts: use': (random) => ({ use: [fact(random, 'use')] }),
  'facts: vocals, loopable': (random) => ({ vocals: [fact(random, 'vocals')], loopable: ['yes'] }),
  'facts: Content ID': (random) => ({ content_id: [fact(random, 'content_id')] }),
  'facts: one of each, AI': (random) => ({ ...factOfEach(random), is_ai_generated: false }),
  'facts: one of each, downloads': (random) => ({ ...factOfEach(random), ordering: '-downloads' }),
  'facts: word, mood': (random) => ({ search: pick(random, COMMON), mood: [fact(random, 'mood')] }),
  'facts: word, length, use, without a mood': (random) => ({
    search: pick(random, COMMON),
    length: [fact(random, 'length'), fact(random, 'length')],
    use: [fact(random, 'use')],
    '-mood': [fact(random, 'mood')],
  }),
  'facts: word, one of each': (random) => ({ search: pick(random, COMMON), ...factOfEach(random) }),
  'facts: synonym, one of each': (random) => ({ search: pick(random, SYNONYMS), ...factOfEach(random) }),
  'counts: nothing chosen': () => ({}),
  'counts: type, mood': (random) => ({ type: aType(random), mood: [fact(random, 'mood')] }),
  'counts: one of each': factOfEach,
  'counts: word': (random) => ({ search: pick(random, COMMON) }),
  'counts: word, one of each': (random) => ({ search: pick(random, COMMON), ...factOfEach(random) }),
  'counts: synonym': (random) => ({ search: pick(random, SYNONYMS) }),
  'search: rare word': (random, sounds) => ({ search: rareWord(random, sounds) }),
  'search: nothing found': (random) => ({ search: `鬱${pick(random, ['蒼', '金', '屈'])}` }),
  'search: common word': (random) => ({ search: pick(random, COMMON) }),
  'search: common word, newest': (random) => ({ search: pick(random, COMMON), ordering: '-created' }),
  'search: common word, favourites': (random) => ({ search: pick(random, COMMON), ordering: '-favorites' }),
  'search: common word, last page': (random) => ({ search: pick(random, COMMON), page: LAST_PAGE }),
  'search: found nearly everywhere': (random) => ({ search: pick(random, FOUND_EVERYWHERE) }),
  'search: found nearly everywhere, last page': (random) => ({
    search: pick(random, FOUND_EVERYWHERE),
    page: LAST_PAGE,
  }),
  'search: two common words': (random) => ({ search: `${pick(random, COMMON)} ${pick(random, COMMON)}` }),
  'search: three words': (random) => ({
    search: `${pick(random, COMMON)} ${pick(random, COMMON)} ${pick(random, FOUND_EVERYWHERE)}`,
  }),
  'search: common and rare word': (random, sounds) => ({
    search: `${pick(random, COMMON)} ${rareWord(random, sounds)}`,
  }),
  'search: reading': (random) => ({ search: pick(random, READINGS) }),
  'search: two readings': (random) => ({ search: `${pick(random, READINGS)} ${pick(random, READINGS)}` }),
  'search: reading, last page': (random) => ({ search: pick(random, READINGS), page: LAST_PAGE }),
  'search: romaji': (random) => ({ search: pick(random, ROMAJI) }),
  'search: broad word': (random) => ({ search: pick(random, BROAD) }),
  'search: onomatopoeia': (random) => ({ search: pick(random, ONOMATOPOEIA) }),
  'search: sentence': (random) => ({ search: pick(random, SENTENCES) }),
  'search: word that finds nothing': (random) => ({ search: pick(random, WRONG) }),
  'search: words that nothing has together': (random) => ({
    search: `${pick(random, COMMON)} ${pick(random, WRONG)} ${pick(random, READINGS)}`,
  }),
  'search: without a broad word': (random) => ({ search: `${pick(random, COMMON)} -${pick(random, BROAD)}` }),
  'search: synonym': (random) => ({ search: pick(random, SYNONYMS) }),
  'search: synonym, downloads': (random) => ({ search: pick(random, SYNONYMS), ordering: '-downloads' }),
  'search: synonym and word': (random) => ({
    search: `${pick(random, SYNONYMS)} ${pick(random, COMMON)} ${pick(random, READINGS)}`,
  }),
  'search: word without another': (random) => ({
    search: `${pick(random, COMMON)} -${pick(random, COMMON)}`,
  }),
  'search: everything without a word': (random) => ({ search: `-${pick(random, COMMON)}` }),
  'search: phrase': (random) => ({ search: `"${pick(random, COMMON)}" "ゲームや動画"` }),
  'search: artist’s name': (random, sounds) => ({ search: artist(random, sounds) }),
  'search: long text': (random, sounds) => ({
    search: generateRow(1 + Math.floor(random() * sounds), sounds).description.slice(0, 60),
  }),
  'search: word, type': (random) => ({ search: pick(random, COMMON), type: aType(random) }),
  'search: word, type, AI, sub-genre': (random) => ({
    search: pick(random, COMMON),
    type: aType(random),
    is_ai_generated: false,
    sub_genres: [subGenre(random)],
  }),
  'search: word, artist': (random, sounds) => ({
    search: pick(random, COMMON),
    user: artist(random, sounds),
  }),
};

/** Texts that are being typed. */
const COMPLETIONS: Readonly<Record<string, (random: () => number, sounds: number) => string>> = {
  'completions: one kana': (random) => pick(random, ['あ', 'よ', 'う', 'ま', 'せ', 'の']),
  'completions: one kanji': (random) => pick(random, COMMON).slice(0, 1),
  'completions: common word': (random) => pick(random, COMMON),
  'completions: reading': (random) => pick(random, READINGS),
  'completions: romaji': (random) => pick(random, ROMAJI).slice(0, 3),
  'completions: found nearly everywhere': (random) => pick(random, FOUND_EVERYWHERE),
  'completions: two words': (random) => `${pick(random, COMMON)} ${pick(random, READINGS)}`,
  'completions: artist’s name': (random, sounds) => artist(random, sounds).slice(0, 4),
  'completions: rare word': (random, sounds) => rareWord(random, sounds),
};

/** All cases, in the order of the table. */
export const CASES: readonly Case[] = [
  ...Object.entries(LISTINGS).map(([name, makeQuery]): Case => {
    const isCounting = name.startsWith('counts: ');
    const ask: Case['ask'] = (database, query) =>
      isCounting ? countFacts(database, query) : listSounds(database, query, null);
    return { name, makeQuery, ask };
  }),
  ...Object.entries(COMPLETIONS).map(([name, makeText]): Case => ({
    name,
    makeQuery: (random, sounds) => ({ search: makeText(random, sounds) }),
    ask: (database, { search = '' }) => completeSearch(database, search),
  })),
];
