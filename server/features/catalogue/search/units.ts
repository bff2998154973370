import { QUERY_TERMS_MAX, foldSearchText, toQueryPieces } from '../../../../contract/search/search-tokens.ts';
import type { QueryPiece } from '../../../../contract/search/search-tokens.ts';
import { findWordFact, isFactWord } from './fact-words.ts';
import type { WordFact } from './fact-words.ts';
import { toQueryForms } from './pronunciations.ts';
import { isKana, toKana } from './romaji.ts';
import type { OwnWords } from './own-words.ts';
import { toFoldedSoundKey } from './words.ts';
import type { Concept, WordGraph } from './words.ts';

/** Parts of a query that have one meaning together. */
export interface Unit {
  /** As it is written, folded. */
  readonly text: string;
  readonly pieces: readonly QueryPiece[];
  /** How it can be read, and its English stem. */
  readonly forms: readonly string[];
  readonly concepts: readonly Concept[];
  /** Onomatopoeia, as `toSoundKey` folds it; undefined for another word. */
  readonly sound: string | undefined;
  readonly fact: WordFact | undefined;
  /** Whether it names a use that the terms permit for every sound. */
  readonly isGiven: boolean;
  /** Other words that the operator wants to be found for it. */
  readonly others: readonly string[];
  /** Further tokens of the index that it is found by. */
  readonly tokens?: readonly string[];
  /** Whether results that lack it are just as good: 音, 曲, 素材. */
  readonly isWeak: boolean;
}

/** The words that a query is read with. */
export interface Vocabulary {
  readonly graph: WordGraph;
  readonly own: OwnWords;
  /** The uses that the terms give for every sound. */
  readonly givenUses: readonly string[];
}

/** `coffee shop` and `ame no hi` are one word. */
const JOINED_MAX = 4;
const WORD_LENGTH_MAX = 14;

/** Words that nearly every query can omit. */
const WEAK = new Set(
  (
    '音 おと 曲 音楽 おんがく 効果音 こうかおん bgm se サウンド ミュージック 素材 音源 フリー 無料 ' +
    '系 感 用 向け 風 っぽい みたいな ような 感じ 時 とき シーン 場面 演出 動画 むーびー 映像 みゅーびー 合う 似合う ぴったり 使える 使う 欲しい ほしい 聴きたい 聞きたい ' +
    'おすすめ いい 良い 人 くらい ぐらい sound sounds effect effects music song songs sfx audio free ' +
    'the a an of on in for with and to by up out from over into at is me my'
  )
    .split(' ')
    .map(foldSearchText),
);

/** Particles and endings, which a part between two words may consist of. */
const ENDING =
  /^(?:の|な|に|で|と|が|は|を|も|や|へ|か|から|まで|より|って|という|だけ|など|する|した|して|している|してる|しそうな|される|された|させる|いる|ある|なる|った|って|ている|てる|た|て|だ|です|ます|たい|そう|そうな|ような|みたいな|っぽい|らしい|的|的な|れる|られる|くなる|く|い|る|れ|さ|み|げ|きそうな|よう|ため|ための|には|とか|こと|もの|お|ご)+$/;

/** The units of a query's words, in their order. */
export function toUnits(words: string, vocabulary: Vocabulary): Unit[] {
  const pieces = toQueryPieces(words).slice(0, QUERY_TERMS_MAX);
  const units: Unit[] = [];
  for (let at = 0; at < pieces.length;) {
    const length = findJoined(pieces.slice(at, at + JOINED_MAX), vocabulary);
    const joined = pieces.slice(at, at + length);
    const [first] = joined;
    if (length === 1 && first?.kind === 'run') units.push(...splitRun(first.text, vocabulary));
    else units.push(toUnit(joined, vocabulary));
    at += length;
  }
  return units;
}

/** How many of the pieces, which follow one another, are one word. */
function findJoined(pieces: readonly QueryPiece[], vocabulary: Vocabulary): number {
  for (let length = pieces.length; length > 1; length -= 1) {
    const joined = pieces.slice(0, length);
    if (isWord(toText(joined), vocabulary)) return length;
    const kana = toKana(joined.map(({ text }) => text).join(''));
    const isRomaji = joined.every(({ text }) => /^[a-z]+$/.test(text)) && isKana(kana, 2);
    if (isRomaji && vocabulary.graph.findByReading(kana).length > 0) return length;
  }
  return 1;
}

function toText(pieces: readonly QueryPiece[]): string {
  return pieces.map(({ text }) => text).join(' ');
}

function isWord(text: string, { graph, own }: Vocabulary): boolean {
  return graph.find(text).length > 0 || own.find(text).length > 0 || findWordFact(text) !== undefined;
}

/** `isWord` for a part of a run, which is folded and has no marks. There are a thousand of a long one. */
function isWordPart(part: string, { graph, own }: Vocabulary): boolean {
  return graph.findKey(part).length > 0 || own.has(part) || isFactWord(part);
}

function toUnit(
  pieces: readonly QueryPiece[],
  { graph, own, givenUses }: Vocabulary,
  concepts?: readonly Concept[],
): Unit {
  const text = toText(pieces);
  const forms = toQueryForms(text.replaceAll(' ', ''));
  const byReading = forms.flatMap((form) => graph.findByReading(form));
  const written = graph.find(text);
  const found = new Set([...(concepts ?? written), ...byReading]);
  const fact = findWordFact(text);
  const isGiven = fact?.name === 'use' && fact.values.every((use) => givenUses.includes(use));
  return {
    text,
    pieces,
    forms,
    concepts: [...found],
    sound: written.length === 0 ? findSound(text, graph) : undefined,
    fact: isGiven ? undefined : fact,
    isGiven,
    others: own.find(text),
    isWeak: isGiven || WEAK.has(text),
  };
}

/** 戦闘曲 is 戦闘, and a kind of sound that a weak word names. */
const COMPOUND = /.(?:曲|bgm|動画|むーびー|映像|素材|しーん|場面|音楽|みゅーじっく)$/;

const SCRIPTS = [/^[ぁ-ゖー]{2}$/, /^\p{Script=Han}{2}$/u];

/** A word in kana that some concept sounds like. A single kana is one only if it is repeated or drawn out. */
function findSound(text: string, graph: WordGraph): string | undefined {
  if (!isKana(text)) return undefined;
  const key = toFoldedSoundKey(text);
  const isDrawn = key.length > 1 || text.length > 1;
  return isDrawn && graph.isSound(key) ? key : undefined;
}

type Kind = 'word' | 'ending' | 'rest';

interface Cut {
  readonly cost: number;
  readonly from: number;
  readonly kind: Kind;
  readonly concepts?: readonly Concept[];
}

/**
 * The words of a run of Japanese: the cheapest way to cut it into words of the vocabulary, endings and a rest. 猫が鳴く is
 * 猫, が, 鳴く.
 */
function splitRun(run: string, vocabulary: Vocabulary): Unit[] {
  const characters = [...run];
  const starts = toStarts(characters);
  const best: (Cut | undefined)[] = [{ cost: 0, from: 0, kind: 'rest' }];
  for (let to = 1; to <= characters.length; to += 1) {
    for (let from = Math.max(0, to - WORD_LENGTH_MAX); from < to; from += 1) {
      const before = best[from];
      if (before === undefined) continue;
      const part = run.slice(starts[from], starts[to]);
      const bounds = { isFirst: from === 0, isWhole: part.length === run.length };
      for (const cut of listCuts(part, bounds, vocabulary)) {
        const isInRest = cut.kind === 'rest' || before.kind === 'rest';
        const extra = from > 0 && isInRest ? toCutCost(`${characters[from - 1]}${characters[from]}`) : 0;
        const cost = before.cost + cut.cost + extra;
        if (cost < (best[to]?.cost ?? Infinity)) best[to] = { ...cut, from, cost };
      }
    }
  }
  const units: Unit[] = [];
  for (let to = characters.length; to > 0;) {
    const cut = best[to];
    if (cut === undefined) break;
    const text = run.slice(starts[cut.from], starts[to]);
    if (cut.kind !== 'ending') units.unshift(toUnit([{ kind: 'run', text }], vocabulary, cut.concepts));
    to = cut.from;
  }
  return units.length > 0 ? units : [toUnit([{ kind: 'run', text: run }], vocabulary)];
}

/** Where each character begins in its text, and where the last one ends. */
function toStarts(characters: readonly string[]): number[] {
  const starts = [0];
  for (const { length } of characters) starts.push((starts.at(-1) ?? 0) + length);
  return starts;
}

/** What it costs to cut between two characters beside a rest. A foreign word has none in it: エクスカリバー has no リバー. */
function toCutCost(characters: string): number {
  return SCRIPTS.some((script) => script.test(characters)) ? 4 : 0;
}

/** What a part of a run can be, and what that costs. */
function listCuts(
  part: string,
  { isFirst, isWhole }: { readonly isFirst: boolean; readonly isWhole: boolean },
  vocabulary: Vocabulary,
): Omit<Cut, 'from'>[] {
  const { graph } = vocabulary;
  const { length } = part;
  const cuts: Omit<Cut, 'from'>[] = [{ cost: 2.5 + 1.2 * length, kind: 'rest' }];
  if (isWordPart(part, vocabulary))
    cuts.push({ cost: length === 1 || COMPOUND.test(part) ? 1.5 : 1, kind: 'word' });
  if (WEAK.has(part)) cuts.push({ cost: isFirst ? 1 : 0.3, kind: 'word' });
  if (isKana(part)) {
    const isRead = length > 1 && graph.findByReading(part).length > 0;
    if (isRead) cuts.push({ cost: isWhole ? 1 : length > 2 ? 1.4 : 2.2, kind: 'word' });
    if (length > 2 && findSound(part, graph) !== undefined) cuts.push({ cost: 1.2, kind: 'word' });
    if (!isFirst && ENDING.test(part)) cuts.push({ cost: 0.6, kind: 'ending' });
  }
  // 踏み切り for 踏切.
  const hasKanaInside = /^\p{Script=Han}+[ぁ-ん]+\p{Script=Han}[\p{Script=Han}ぁ-ん]*$/u.test(part);
  const bare = hasKanaInside ? graph.find(part.replace(/[ぁ-ん]/g, '')) : [];
  if (bare.length > 0) cuts.push({ cost: 1.3, kind: 'word', concepts: bare });
  const { kanji, kana = '' } = /^(?<kanji>\p{Script=Han}+)(?<kana>[ぁ-ん]{1,5})$/u.exec(part)?.groups ?? {};
  const inflected = kanji === undefined ? [] : graph.findInflected(kanji, kana);
  if (inflected.length > 0) cuts.push({ cost: 1.3, kind: 'word', concepts: inflected });
  return cuts;
}
