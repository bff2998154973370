import { readFileSync } from 'node:fs';
import { type Mood, MOODS } from '#contract/sounds/sound-facts.ts';
import type { TestSound } from '#support/sounds/catalogue.ts';

export interface FindingQuery {
  readonly kind: string;
  /** Word lists and ranking are tuned on one half only; figures are told of the other one. */
  readonly half: 'tuned' | 'reported';
  readonly query: string;
  /** By key. 3: exactly what is meant; 2: also good; 1: acceptable. Empty: nothing should be found. */
  readonly relevant: ReadonlyMap<string, number>;
}

/** As the artists with Latin names have given them. */
const ARTIST_READINGS: Readonly<Record<string, string>> = {
  'DJ YORU': 'ディージェイヨル',
  'John Smith': 'ジョンスミス',
  'Minamo Works': 'ミナモワークス',
  'Mugi & Cha': 'ムギアンドチャ',
  'NEON FERRY': 'ネオンフェリー',
  TOBARI: 'トバリ',
  kumo_to_ame: 'クモトアメ',
  tetsu_foley: 'テツフォーリー',
};

/** A catalogue as a visitor would browse it. The first sound is the oldest. */
export const FINDING_SOUNDS: readonly TestSound[] = readRows('finding-sounds.tsv').map(
  ([
    key = '',
    title = '',
    type,
    subGenres,
    downloads,
    artist,
    description = '',
    seconds,
    bpm,
    moods = '',
    ...facts
  ]) => ({
    key,
    title,
    description,
    downloads: Number(downloads),
    ...(type === '効果音' && { type }),
    ...(subGenres && { subGenres: subGenres.split('、') }),
    ...(artist && { artist, artistReading: ARTIST_READINGS[artist] }),
    ...(seconds && { seconds: Number(seconds) }),
    ...(bpm && { bpm: Number(bpm) }),
    isAi: facts[2] === 'yes',
    facts: {
      moods: MOODS.filter((mood: Mood) => moods.split(' ').includes(mood)),
      is_loopable: facts[0] === 'yes',
      ...(facts[1] && { has_vocals: facts[1] === 'yes' }),
    },
  }),
);

/** Judged by what a visitor means, not by what a search finds. */
export const FINDING_QUERIES: readonly FindingQuery[] = readRows('finding-queries.tsv').map(
  ([kind = '', half, query = '', relevant = '']) => ({
    kind,
    half: half as FindingQuery['half'],
    query,
    relevant: new Map(
      relevant.split(' ').flatMap((judged) => {
        const [key = '', grade] = judged.split(':');
        return key === '' ? [] : [[key, Number(grade)]];
      }),
    ),
  }),
);

/** The cells of each row below the head; lines that start with # are headings. */
function readRows(name: string): string[][] {
  const [, ...lines] = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));
}
