import { readFileSync, readdirSync } from 'node:fs';
import { parseWords } from './words.ts';
import type { WordGraph } from './words.ts';

const FOLDER = new URL('words/', import.meta.url);

let graph: WordGraph | undefined;

/** The words that come with the program. */
export function loadWords(): WordGraph {
  return (graph ??= parseWords(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.txt'))
      .map(readText)
      .join('\n'),
    new Map(
      readText('readings.tsv')
        .trim()
        .split('\n')
        .map((line) => {
          const [word = '', kana = ''] = line.split('\t');
          return [word, kana.split(',')] as const;
        }),
    ),
  ));
}

function readText(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
