import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findWordFact } from '#server/features/catalogue/search/fact-words.ts';
import { loadWords } from '#server/features/catalogue/search/load-words.ts';
import { createOwnWords } from '#server/features/catalogue/search/own-words.ts';
import { toTypoKeys } from '#server/features/catalogue/search/typos.ts';
import { toUnits } from '#server/features/catalogue/search/units.ts';
import { listRelated, parseWords, toSoundKey, toWordKey } from '#server/features/catalogue/search/words.ts';
import type { Concept } from '#server/features/catalogue/search/words.ts';

const FOLDER = new URL('../../../../server/features/catalogue/search/words/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

describe('the graph of words', () => {
  const graph = parseWords(
    [
      '# Weapons',
      '武器, weapon',
      '剣, ソード, sword | kind of 武器 | sounds シャキーン, キーン',
      '刀, 日本刀 | kind of 剣 | part of 和風',
      '和風',
      '刀, 太刀 | used for 時代劇 | feels 勇ましい',
      '時代劇',
      '勇ましい, 勇敢',
    ].join('\n'),
    new Map([['刀', ['かたな', 'とう']]]),
  );
  const [blade] = graph.find('太刀');

  test('joins the lines of a concept, and relates it in each way', () => {
    expect(blade?.words).toEqual(['刀', '日本刀', '太刀']);
    expect([...listRelated(blade as Concept)].sort()).toEqual(
      ['剣', '武器', '和風', '時代劇', '勇ましい'].sort(),
    );
  });

  test('finds words by spelling, English form, reading and inflection', () => {
    expect(graph.find('swords')[0]?.key).toBe('剣');
    expect(graph.findByReading('とう')).toEqual([blade]);
    expect(graph.findReading('刀')).toBe('かたな');
    expect(graph.findInflected('勇', 'ましく')[0]?.key).toBe('勇ましい');
    expect(graph.findInflected('勇', 'めた')).toEqual([]);
  });

  test.each([
    ['雨 | like 水', 'unknown relation'],
    ['雨 | kind of 天気', 'an unknown word'],
  ])('refuses %s', (line, fault) => {
    expect(() => parseWords(line, new Map())).toThrow(fault);
  });
});

describe('the words of the program', () => {
  const graph = loadWords();
  const concepts = [...new Set(graph.words.flatMap((word) => graph.find(word)))];

  test('are enough, with onomatopoeia', () => {
    expect(graph.words.length).toBeGreaterThan(15_000);
    expect(new Set(concepts.flatMap(({ sounds }) => sounds)).size).toBeGreaterThan(400);
  });

  test('are no kinds of themselves', () => {
    const isBelow = (concept: Concept, top: Concept, level = 0): boolean =>
      level < 12 && concept.targets['kind of'].some((kind) => kind === top || isBelow(kind, top, level + 1));
    expect(concepts.filter((concept) => isBelow(concept, concept)).map(({ key }) => key)).toEqual([]);
  });

  test('have a reading each, if they have kanji', () => {
    const lines = read('readings.tsv').trim().split('\n');
    const words = new Set(graph.words);
    expect(lines.filter((line) => !/^[^\t]+\t[ぁ-ゖー]{2,}(?:,[ぁ-ゖー]{2,})*$/.test(line))).toEqual([]);
    expect(lines.filter((line) => !words.has(line.split('\t')[0] ?? ''))).toEqual([]);
  });

  test('are in files that each load', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(['effects.txt', 'life.txt', 'music.txt', 'readings.tsv']);
  });
});

test.each([
  ['ドカーン', 'どっかん'],
  ['ざあざあ', 'ザーザー'],
  ['パチパチ', 'ぱちっ'],
  ['ダダダ', 'だだだだだ'],
  ['ドォォン', 'どーん'],
])('%s and %s are one sound', (one, other) => {
  expect(toSoundKey(one)).toBe(toSoundKey(other));
});

test.each([
  ['waves', 'wave'],
  ['clapping', 'clap'],
  ['purring', 'purr'],
  ['door bell', 'doorbell'],
])('%s and %s are one word', (one, other) => {
  expect(toWordKey(one)).toBe(toWordKey(other));
});

test.each([
  ['60秒', { name: 'length', values: ['30-60', '60-180'] }],
  ['1分半', { name: 'length', values: ['60-180'] }],
  ['120bpm', { name: 'tempo', values: ['90-120', '120-150'] }],
  ['bpm 170', { name: 'tempo', values: ['150-'] }],
  ['歌もの', { name: 'vocals', values: ['yes'] }],
  ['商用可', { name: 'use', values: ['commercial'] }],
  ['ai不使用', { name: 'is_ai_generated', values: ['false'] }],
  ['穏やか', { name: 'mood', values: ['calm'] }],
  ['雨', undefined],
  ['999999秒', undefined],
])('%s says %j', (word, fact) => {
  expect(findWordFact(word)).toEqual(fact);
});

test.each([
  ['魔女が笑う', ['魔女', '笑う']],
  ['城で猫が眠る音', ['城', '猫', '眠る', '音']],
  ['静かなピアノ曲', ['静か', 'ぴあの', '曲']],
  ['coffee shop', ['coffee shop']],
  ['エクスカリバー', ['えくすかりばー']],
])('the words of %s are %j', (query, texts) => {
  const units = toUnits(query, { graph: loadWords(), own: createOwnWords([]), givenUses: [] });
  expect(units.map(({ text }) => text)).toEqual(texts);
});

test('a word and one with a mistake share a key', () => {
  const shares = (typed: string, meant: string) =>
    toTypoKeys(typed).some((key) => toTypoKeys(meant).includes(key));
  expect(shares('ふぶき', 'ふきぶ')).toBe(true);
  expect(shares('ごろごろ', 'ごろころ')).toBe(true);
  expect(shares('thunder', 'thuder')).toBe(true);
  expect(shares('あめ', 'あま')).toBe(false);
  expect(shares('ふぶき', 'つなみ')).toBe(false);
});
