import type { DictionaryWord } from './pronunciations.ts';
import { listRelated, toSoundKey } from './words.ts';
import type { Concept, WordGraph } from './words.ts';

/** The longest words of the graph, in words of the dictionary. */
const JOINED_MAX = 6;
const KANA_RUNS = /[ァ-ヶー]{2,}|[ぁ-ゖー]{3,}/g;

/** The keys of the concepts of a text, in the form of the index. */
export interface TextConcepts {
  readonly own: ReadonlySet<string>;
  /** Concepts that these are kinds or parts of, are used for, or sound like. */
  readonly related: ReadonlySet<string>;
}

/** Finds the longest words of the graph in the words of a text, and in what they are inflected from. */
export function listConcepts(words: readonly DictionaryWord[], graph: WordGraph): TextConcepts {
  const found = new Set<Concept>();
  for (let at = 0; at < words.length; at += 1) {
    if (words[at]?.isContent !== true) continue;
    for (let length = Math.min(JOINED_MAX, words.length - at); length > 0; length -= 1) {
      const span = words.slice(at, at + length);
      const before = span
        .slice(0, -1)
        .map(({ surface }) => surface)
        .join('');
      const last = span.at(-1);
      const concepts = [
        ...graph.find(before + (last?.surface ?? '')),
        ...(last === undefined || last.base === last.surface ? [] : graph.find(before + last.base)),
      ];
      for (const concept of concepts) found.add(concept);
      // A longer word says more than the words in it, of which the last is what it is a kind of: 雨音 is not 音.
      if (concepts.length > 0) {
        at += length - 1;
        break;
      }
    }
  }
  const text = words.map(({ surface }) => surface).join('');
  const sounds = (text.match(KANA_RUNS) ?? []).map(toSoundKey).filter((key) => graph.isSound(key));
  return {
    own: new Set([...Array.from(found, ({ key }) => key), ...sounds.map(toSoundToken)]),
    related: new Set(
      Array.from(found).flatMap((concept) => [...listRelated(concept), ...concept.sounds.map(toSoundToken)]),
    ),
  };
}

/** Onomatopoeia among the keys of concepts. */
export function toSoundToken(key: string): string {
  return `0${key}`;
}
