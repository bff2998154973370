import { readFileSync } from 'node:fs';
import type { TestSound } from '#support/sounds/catalogue.ts';

export const QUERY_KINDS = [
  'reading',
  'romaji',
  'synonym',
  'okurigana',
  'combined',
  'literal',
  'none',
] as const;

export interface MeaningQuery {
  readonly query: string;
  readonly kind: (typeof QUERY_KINDS)[number];
  /** By key. 3: exactly what is meant; 2: also good; 1: acceptable. Empty: nothing should be found. */
  readonly relevant: Readonly<Record<string, number>>;
}

/** A catalogue as a visitor would browse it. The first sound is the oldest. */
export const MEANING_SOUNDS: readonly TestSound[] = readRows('meaning-sounds.tsv').map(
  ([key = '', title = '', type, subGenres, downloads, artist, description = '']) => ({
    key,
    title,
    description,
    downloads: Number(downloads),
    ...(type === '効果音' && { type }),
    ...(subGenres && { subGenres: subGenres.split('、') }),
    ...(artist && { artist }),
  }),
);

/** Judged by what a visitor means, not by what a search finds. */
export const MEANING_QUERIES: readonly MeaningQuery[] = readRows('meaning-queries.tsv').map(
  ([kind, query = '', relevant = '']) => ({
    query,
    kind: kind as MeaningQuery['kind'],
    relevant: Object.fromEntries(
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
