import { foldSearchText, toTitleKey } from '../../../../contract/search/search-tokens.ts';
import { toStem } from './romaji.ts';

/**
 * The graph of words that visitors use for sounds. A line of its text is a concept:
 * `word, other words for the same | kind of X | part of Y | used for Z | feels W | sounds A, B`.
 */

/** Relations by which a concept is found with the word of another one. */
export const RELATIONS = ['kind of', 'part of', 'used for', 'feels'] as const;
export type Relation = (typeof RELATIONS)[number];
/** The label before a concept's onomatopoeia. */
const SOUNDS = 'sounds' as const;

export interface Concept {
  /** Identifies it in the index: its first word, folded. */
  readonly key: string;
  readonly words: readonly string[];
  /** What it is related to, by relation. */
  readonly targets: Readonly<Record<Relation, readonly Concept[]>>;
  /** What it sounds like, as `toSoundKey` folds it. */
  readonly sounds: readonly string[];
}

export interface WordGraph {
  /** The concepts of a word: as it is written, or in another form of an English word. [] for an unknown one. */
  find(word: string): readonly Concept[];
  /** The concepts of a word in the form of `toWordKey`: what folding leaves of Japanese. */
  findKey(key: string): readonly Concept[];
  /** The concepts with a word that is read like this, in hiragana. */
  findByReading(kana: string): readonly Concept[];
  /** The concepts with a verb or an adjective of which these kanji with these kana are a form: 鳴いて of 鳴く. */
  findInflected(kanji: string, kana: string): readonly Concept[];
  /** How a word is read, in hiragana; undefined for an unknown word and one without kanji. */
  findReading(word: string): string | undefined;
  /** Whether some concept sounds like this, as `toSoundKey` folds it. */
  isSound(key: string): boolean;
  /** All words, as they are written. */
  readonly words: readonly string[];
}

/** Maximum depth of kinds of kinds. */
const LEVELS_MAX = 5;
const INFLECTED = /^(?<kanji>\p{Script=Han}+)(?<stem>[ぁ-ん]{0,2})[うくぐすつぬぶむるい]$/u;
const NONE: readonly never[] = [];

/** The concepts of a text in this format, and how their words are read. Throws an Error for an unknown relation or target. */
export function parseWords(text: string, readings: ReadonlyMap<string, readonly string[]>): WordGraph {
  const concepts = readConcepts(text);
  const byWord = new Index();
  const byReading = new Index();
  const byKanji = new Map<string, Index>();
  for (const concept of concepts.values())
    for (const word of concept.words) {
      byWord.add(toWordKey(word), concept);
      for (const kana of readings.get(word) ?? NONE) byReading.add(kana, concept);
      const { kanji, stem = '' } = INFLECTED.exec(word)?.groups ?? {};
      if (kanji === undefined) continue;
      const stems = byKanji.get(kanji) ?? new Index();
      stems.add(stem, concept);
      byKanji.set(kanji, stems);
    }
  const find = (word: string) => byWord.get(toWordKey(word));
  const sounds = new Set<string>();
  for (const concept of concepts.values()) {
    for (const sound of concept.sounds) sounds.add(sound);
    for (const { relation, word } of concept.stated) {
      const targets = find(word).filter((target) => target !== concept);
      if (targets.length === 0) throw new Error(`${concept.key} is ${relation} an unknown word: ${word}`);
      concept.targets[relation] = [...new Set([...concept.targets[relation], ...targets])];
    }
    concept.stated = NONE;
  }
  return {
    find,
    findKey: (key) => byWord.get(key),
    findByReading: (kana) => byReading.get(kana),
    findInflected(kanji, kana) {
      const stems = [...(byKanji.get(kanji)?.keys() ?? [])].filter((stem) => kana.startsWith(stem));
      return stems.flatMap((stem) => byKanji.get(kanji)?.get(stem) ?? NONE);
    },
    findReading: (word) => readings.get(word)?.[0],
    isSound: (key) => sounds.has(key),
    words: [...new Set(Array.from(concepts.values(), ({ words }) => words).flat())],
  };
}

/** Concepts by name. Most names have one, which takes a third of the memory of a list. */
class Index {
  readonly #found = new Map<string, Concept | readonly Concept[]>();

  add(name: string, concept: Concept): void {
    const concepts = this.get(name);
    if (!concepts.includes(concept))
      this.#found.set(name, concepts.length === 0 ? concept : [...concepts, concept]);
  }

  get(name: string): readonly Concept[] {
    const found = this.#found.get(name);
    return found === undefined ? NONE : 'key' in found ? [found] : found;
  }

  keys(): Iterable<string> {
    return this.#found.keys();
  }
}

/** A concept while it is read. */
interface StatedConcept {
  readonly key: string;
  words: readonly string[];
  readonly targets: Record<Relation, readonly Concept[]>;
  sounds: readonly string[];
  /** Words of the concepts that it is related to. */
  stated: readonly { readonly relation: Relation; readonly word: string }[];
}

function readConcepts(text: string): Map<string, StatedConcept> {
  const concepts = new Map<string, StatedConcept>();
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [list = '', ...parts] = line.split('|').map((part) => part.trim());
    const words = toList(list);
    const key = toTitleKey(words[0] ?? '');
    const concept = concepts.get(key) ?? { key, words: [], targets: createTargets(), sounds: [], stated: [] };
    concepts.set(key, concept);
    concept.words = [...new Set([...concept.words, ...words])];
    for (const part of parts) {
      const relation = [...RELATIONS, SOUNDS].find((name) => part.startsWith(`${name} `));
      if (relation === undefined) throw new Error(`unknown relation: ${line}`);
      const others = toList(part.slice(relation.length));
      if (relation === SOUNDS) concept.sounds = [...new Set([...concept.sounds, ...others.map(toSoundKey)])];
      else concept.stated = [...concept.stated, ...others.map((word) => ({ relation, word }))];
    }
  }
  return concepts;
}

function createTargets(): Record<Relation, readonly Concept[]> {
  return { 'kind of': NONE, 'part of': NONE, 'used for': NONE, feels: NONE };
}

function toList(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}

/** The keys of all concepts by whose words a concept is found besides its own: what it is a kind of, and so on. */
export function listRelated(concept: Concept): Set<string> {
  const keys = new Set<string>();
  const addKinds = (one: Concept, level: number) => {
    for (const kind of level < LEVELS_MAX ? one.targets['kind of'] : []) {
      keys.add(kind.key);
      addKinds(kind, level + 1);
    }
  };
  for (const relation of RELATIONS)
    for (const target of concept.targets[relation]) {
      keys.add(target.key);
      addKinds(target, relation === 'kind of' ? 1 : LEVELS_MAX - 1);
    }
  keys.delete(concept.key);
  return keys;
}

/** The form in which a word is compared: folded, and English words without their endings. */
export function toWordKey(word: string): string {
  const folded = foldSearchText(word).trim();
  if (!/^[a-z][a-z' -]*$/.test(folded)) return folded.replace(/[^\p{L}\p{N}]/gu, '');
  return folded.replaceAll("'", '').split(/[ -]+/).map(toStem).join('');
}

const VOWELS: Readonly<Record<string, string>> = {
  あ: 'ぁあかがさざただなはばぱまやゃらわ',
  い: 'ぃいきぎしじちぢにひびぴみり',
  う: 'ぅうくぐすずつづぬふぶぷむゆゅる',
  え: 'ぇえけげせぜてでねへべぺめれ',
  お: 'ぉおこごそぞとどのほぼぽもよょろ',
};
const VOWEL_OF = new Map(
  Object.entries(VOWELS).flatMap(([vowel, kana]) => [...kana].map((each) => [each, vowel])),
);

const SMALL_VOWELS: Readonly<Record<string, string>> = { ぁ: 'あ', ぃ: 'い', ぅ: 'う', ぇ: 'え', ぉ: 'お' };

/** By the code of a hiragana: what it is heard as, 0 for nothing; and its vowel. */
const HEARD = Array.from({ length: 0x3097 }, (_, code) => toHeard(String.fromCharCode(code)));
const VOWEL_CODES = Array.from({ length: 0x3097 }, (_, code) =>
  VOWEL_OF.get(String.fromCharCode(code))?.charCodeAt(0),
);

function toHeard(kana: string): number {
  return kana === 'っ' || !/[ぁ-ゖ]/.test(kana) ? 0 : (SMALL_VOWELS[kana] ?? kana).charCodeAt(0);
}

/** Folds onomatopoeia: ドカーン and どっかん are equal, ざあざあ and ザーザー, パチパチ and パチッ, ダダダ and ダダダダ. */
export function toSoundKey(word: string): string {
  return toFoldedSoundKey(foldSearchText(word));
}

/** `toSoundKey` of a word that is folded. Called for a thousand parts of a long query. */
export function toFoldedSoundKey(word: string): string {
  const short: number[] = [];
  let before = 0;
  for (let at = 0; at < word.length; at += 1) {
    const heard = HEARD[word.charCodeAt(at)] ?? 0;
    if (heard === 0) continue;
    const isDrawn = VOWEL_CODES[before] === heard;
    before = heard;
    const isThird = short.at(-1) === heard && short.at(-2) === heard;
    if (!isDrawn && !isThird) short.push(heard);
  }
  return String.fromCharCode(...short.slice(0, toUnitLength(short)));
}

/** How many of the first items are repeated to the end, at least two; or all. */
function toUnitLength(items: readonly number[]): number {
  const { length } = items;
  for (let unit = 2; unit <= length / 2; unit += 1)
    if (length % unit === 0 && items.every((item, at) => at < unit || item === items[at - unit])) return unit;
  return length;
}
