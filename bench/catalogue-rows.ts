import { MUSICAL_KEYS } from '../contract/sounds/music.ts';
import { FACT_FILTERS, toKeyValues } from '../contract/sounds/sound-facts.ts';
import type { FactValues } from '../contract/sounds/sound-facts.ts';
import { loadWords } from '../server/features/catalogue/search/load-words.ts';
import { toPopularity } from '../server/features/catalogue/popularity.ts';
import { toReadTokens } from '../server/features/catalogue/search/pronunciations.ts';
import type { DictionaryWord } from '../server/features/catalogue/search/pronunciations.ts';
import type { SearchDocument } from '../server/features/catalogue/search/tokens.ts';

/** A generated catalogue: row `seq` is a pure function of `seq`, so any part can be regenerated. */
export const TYPES = ['BGM', '効果音'];
export const GENRES: Readonly<Record<string, readonly string[]>> = {
  ムード: '明るい 切ない 怖い 癒し 勇ましい 神秘 コミカル 緊張 哀愁 爽やか 壮大 不穏'.split(' '),
  シーン: '戦闘 日常 街 森 海辺 宇宙 学校 夜 朝 祭り 旅立ち 決戦'.split(' '),
  楽器: 'ピアノ ギター 弦楽 管楽器 和楽器 オルゴール シンセ ドラム 合唱 ベース ハープ 笛'.split(' '),
  ジャンル:
    'ロック ジャズ エレクトロ クラシック 民族音楽 ポップ アンビエント ヒップホップ チップチューン ボサノバ メタル ワルツ'.split(
      ' ',
    ),
  効果: '足音 ドア 雨 風 爆発 魔法 クリック 決定音 動物 機械 打撃 水'.split(' '),
};
export const SUB_GENRES = Object.entries(GENRES).flatMap(([genre, names]) =>
  names.map((name) => ({ genre, name })),
);

const MOODS =
  '静かな 激しい 優しい 遠い 青い 懐かしい 眠れる 最後の 小さな 光る 冷たい 暖かい 忘れられた 夏の 冬の 雨上がりの 真夜中の 名もなき 約束の 帰り道の'.split(
    ' ',
  );
const THINGS =
  '雨 夜 朝 海 森 空 街 星 月 風 雪 花 夢 影 光 炎 旅 祈り 時計 手紙 ピアノ ギター 戦闘 勝利 迷宮 神社 駅 電車 扉 足音 鐘 太鼓 笛 魔法 剣 ロボット 宇宙船 喫茶店 図書館 教室 放課後 花火 桜 紅葉 川 滝 洞窟 城 王国 市場'.split(
    ' ',
  );
const KINDS = 'のテーマ のうた ループ 短め その二 ジングル のワルツ Remix ver.2 【フリー】 ソロ'.split(' ');
const SENTENCES =
  'ゲームや動画に使いやすい曲です。 ループ再生に対応しています。 ピアノとストリングスの落ち着いた一曲。 戦闘シーンに合う疾走感のあるサウンド。 環境音として長めに録音しました。 決定ボタンやメニュー操作に。 配信の待機画面におすすめ。 8bit風のチップチューンです。 和風の場面にどうぞ。 悲しい別れの場面を思い描いて作りました。'.split(
    ' ',
  );
const KANA = 'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわ';
const START_MS = Date.UTC(2020, 0, 1);

/** What the dictionary reads once for all rows. */
export const READ_TEXTS = [
  ...MOODS,
  ...THINGS,
  ...KINDS,
  ...SENTENCES,
  ...TYPES,
  ...Object.keys(GENRES),
  ...SUB_GENRES.map(({ name }) => name),
];
/** The words of each of these texts. */
export type ReadTexts = ReadonlyMap<string, readonly DictionaryWord[]>;

export interface GeneratedRow extends SearchDocument {
  readonly artistIndex: number;
  readonly favoriteCount: number;
  readonly downloadCount: number;
  readonly createdAtMs: number;
  /** The parts of title and description, which are read on their own. */
  readonly parts: { readonly title: readonly string[]; readonly description: readonly string[] };
}

/** A row with the tokens of its words. */
export function withReadTokens(row: GeneratedRow, texts: ReadTexts): SearchDocument {
  const read = (parts: readonly string[]) => parts.flatMap((part) => texts.get(part) ?? []);
  const { title, artistName: artist, artistReading, description } = row;
  const labels = [row.typeName, ...row.genreNames];
  const words = {
    title: read(row.parts.title),
    artist: [],
    labels: labels.map((name) => read([name])),
    description: read(row.parts.description),
  };
  const readTokens = toReadTokens(words, { title, artist, artistReading, labels, description }, loadWords());
  return { ...row, readTokens: [...new Set(readTokens)] };
}

export function toArtistCount(sounds: number): number {
  return Math.ceil(sounds / 20);
}

export function toArtistId(index: number): string {
  return `artist${String(index).padStart(10, '0')}`;
}

export function toArtistName(index: number): string {
  const name = Array.from({ length: 4 }, (_, place) => KANA[Math.floor(index / 44 ** place) % 44]).join('');
  return `${name}工房${index}`;
}

/**
 * Sub-genre ids count from 1 in the order of SUB_GENRES, likewise types: create them in that order in a new database.
 */
export function generateRow(seq: number, sounds: number): GeneratedRow {
  const next = createRandom(seq);
  const pick = <Item>(items: readonly Item[], skew = 1): Item =>
    items[Math.floor(next() ** skew * items.length)] as Item;
  const typeId = next() < 0.35 ? 1 : 2;
  const subGenreIds = new Set(
    Array.from(
      { length: 1 + Math.floor(next() * 4) },
      () => 1 + Math.floor(next() ** 2.2 * SUB_GENRES.length),
    ),
  );
  const subGenres = [...subGenreIds].map((id) => SUB_GENRES[id - 1] as (typeof SUB_GENRES)[number]);
  const artistIndex = Math.floor(next() ** 2 * toArtistCount(sounds));
  const downloadCount = Math.floor(Math.min(2_000_000, (1 - next()) ** -1.6 - 1));
  const favoriteCount = Math.floor(downloadCount * next() * 0.2);
  const rare = next() < 0.3 ? Array.from({ length: 4 }, () => pick([...KANA])).join('') : '';
  const inTitle = [
    next() < 0.7 ? pick(MOODS) : '',
    pick(THINGS, 1.6),
    rare,
    next() < 0.5 ? pick(KINDS) : '',
    next() < 0.2 ? ` ${seq % 1000}` : '',
  ];
  const title = inTitle.join('');
  const inDescription = [
    pick(THINGS),
    'と',
    pick(THINGS),
    '。',
    pick(SENTENCES),
    next() < 0.5 ? pick(SENTENCES) : '',
  ];
  const description = inDescription.join('');
  return {
    seq,
    title,
    description,
    artistIndex,
    artistId: toArtistId(artistIndex),
    artistName: toArtistName(artistIndex),
    artistReading: '',
    typeId,
    typeName: TYPES[typeId - 1] ?? '',
    genreNames: [...new Set(subGenres.flatMap(({ name, genre }) => [name, genre]))],
    subGenreIds: [...subGenreIds],
    isAiGenerated: next() < 0.15,
    isPublished: next() < 0.97,
    facts: generateFacts(seq),
    downloadCount,
    favoriteCount,
    counts: {
      download_count: downloadCount,
      favorite_count: favoriteCount,
      popularity: toPopularity(downloadCount, favoriteCount),
    },
    createdAtMs: START_MS + seq * 60_000,
    parts: { title: inTitle, description: inDescription },
  };
}

/** From a generator of its own, so that the other fields of a row are what they were without facts. */
function generateFacts(seq: number): FactValues {
  const next = createRandom(-seq);
  const some = (values: readonly string[], count: number) => [
    ...new Set(
      Array.from({ length: count }, () => values[Math.floor(next() ** 1.6 * values.length)] as string),
    ),
  ];
  return {
    length: some(FACT_FILTERS.length.values, 1),
    tempo: next() < 0.5 ? some(FACT_FILTERS.tempo.values, 1) : [],
    loopable: next() < 0.3 ? ['yes'] : [],
    vocals: next() < 0.5 ? some(FACT_FILTERS.vocals.values, 1) : [],
    mood: some(FACT_FILTERS.mood.values, Math.floor(next() * 4)),
    use: some(FACT_FILTERS.use.values, Math.floor(next() * 7)),
    content_id: next() < 0.4 ? some(FACT_FILTERS.content_id.values, 1) : [],
    key: next() < 0.5 ? toKeyValues(MUSICAL_KEYS[Math.floor(next() ** 1.6 * 24)] ?? null) : [],
  };
}

export function createRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
