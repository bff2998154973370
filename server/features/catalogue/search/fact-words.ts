import { MOOD_TEXTS } from '../../../../contract/sounds/fact-labels.ts';
import { toTitleKey } from '../../../../contract/search/search-tokens.ts';
import { LENGTH_RANGES, MOODS, TEMPO_RANGES } from '../../../../contract/sounds/sound-facts.ts';
import type { FactName } from '../../../../contract/sounds/sound-facts.ts';

/** A statement about sounds that a word of a query makes. */
export interface WordFact {
  /** A filter of the listing. */
  readonly name: FactName | 'is_ai_generated';
  /** One of which a sound must have. */
  readonly values: readonly string[];
}

/** How far a length or a tempo may be from what was typed. */
const LENGTH_TOLERANCE = 0.2;
const TEMPO_TOLERANCE = 0.05;

const WORDS: readonly (readonly [name: WordFact['name'], value: string, words: string])[] = [
  ['is_ai_generated', 'true', 'ai ai生成 ai使用 ai作曲 ai音楽 aiあり'],
  ['is_ai_generated', 'false', 'ai不使用 aiなし ai以外 非ai'],
  [
    'vocals',
    'yes',
    '歌もの 歌入り 歌あり 歌付き ボーカル ボーカル入り ボーカルあり ボーカル曲 ヴォーカル vocal vocals',
  ],
  ['vocals', 'no', 'インスト インストゥルメンタル 歌なし ボーカルなし ボーカル無し instrumental'],
  ['loopable', 'yes', 'ループ ループ可 ループ素材 ループ音源 ループできる loop loopable'],
  [
    'use',
    'commercial',
    `商用 商用利用 商用フリー ${toPermissions('商用 商用利用 商用使用')} commercial commercialuse`,
  ],
  ['use', 'uncredited', 'クレジット不要 クレジット表記不要 表記不要 クレジットなし クレジット任意'],
  ['use', 'video', `動画用 動画制作用 ${toPermissions('動画 動画利用 動画使用')}`],
  ['use', 'streaming', `配信用 ライブ配信用 ${toPermissions('配信 配信利用 ライブ配信')}`],
  ['use', 'games', `ゲーム用 ゲーム制作用 ${toPermissions('ゲーム ゲーム利用 ゲーム使用')}`],
  ['use', 'apps', `アプリ用 アプリ制作用 ${toPermissions('アプリ アプリ利用 アプリ使用')}`],
  ['use', 'venues', toPermissions('店舗 店舗利用 イベント イベント利用')],
  ['use', 'broadcast', toPermissions('放送 放送利用 テレビ放送 cm利用')],
  ['use', 'songs', toPermissions('サンプリング 楽曲利用')],
  ['content_id', 'none', 'contentidなし コンテンツidなし'],
  ['length', '0-10', '短い ショート 短め'],
  ['length', '180-300', '長い 長め ロング'],
  ['length', '300-', '長尺'],
  ['tempo', '0-90', 'スローテンポ スロー ゆっくり ゆったり slow'],
  ['tempo', '120-150', 'アップテンポ テンポが速い 速い 速め fast'],
  ['tempo', '150-', '高速 アップテンポ テンポが速い 速い 速め fast'],
];

/** Ways to say that something is allowed. */
function toPermissions(uses: string): string {
  return uses
    .split(' ')
    .flatMap((use) => [`${use}可`, `${use}可能`, `${use}ok`])
    .join(' ');
}

const byWord = Map.groupBy(
  [
    ...WORDS.flatMap(([name, value, words]) => words.split(' ').map((word) => ({ word, name, value }))),
    ...MOODS.map((mood) => ({ word: MOOD_TEXTS[mood], name: 'mood' as const, value: mood })),
  ],
  ({ word }) => toTitleKey(word),
);

/** What a word of a query, which is folded, says about the facts of sounds; undefined if nothing. */
export function findWordFact(text: string): WordFact | undefined {
  const word = text.replaceAll(' ', '');
  const meanings = byWord.get(toTitleKey(word));
  if (meanings?.[0] !== undefined)
    return { name: meanings[0].name, values: meanings.map(({ value }) => value) };
  return readLength(word) ?? readTempo(word);
}

/** Whether a folded word without digits says something about facts. */
export function isFactWord(word: string): boolean {
  return byWord.has(word);
}

function readLength(word: string): WordFact | undefined {
  const { minutes, half, seconds } =
    /^(?:(?<minutes>\d{1,2})(?:分|min)(?<half>半)?)?(?:(?<seconds>\d{1,3})(?:秒|sec|s))?$/u.exec(word)
      ?.groups ?? {};
  if (minutes === undefined && seconds === undefined) return undefined;
  const length = Number(minutes ?? 0) * 60 + (half === undefined ? 0 : 30) + Number(seconds ?? 0);
  return { name: 'length', values: listRanges(LENGTH_RANGES, length, LENGTH_TOLERANCE) };
}

function readTempo(word: string): WordFact | undefined {
  const { before, after } = /^(?:bpm(?<after>\d{2,3})|(?<before>\d{2,3})bpm)$/.exec(word)?.groups ?? {};
  const tempo = Number(before ?? after);
  return Number.isNaN(tempo)
    ? undefined
    : { name: 'tempo', values: listRanges(TEMPO_RANGES, tempo, TEMPO_TOLERANCE) };
}

/** The ranges that something near a number can be in. */
function listRanges(ranges: readonly string[], number: number, tolerance: number): string[] {
  return ranges.filter((range) => {
    const [from = '0', to = ''] = range.split('-');
    return number * (1 + tolerance) >= Number(from) && (to === '' || number * (1 - tolerance) < Number(to));
  });
}
