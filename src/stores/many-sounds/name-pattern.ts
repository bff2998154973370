import type { Genre } from '../../../contract/sounds/genres.ts';
import { fillRow } from './filling.ts';
import type { Outcome } from './plan.ts';
import type { ManyRow } from './rows.ts';

/** What a part of a file name is. The number and what is ignored are not used. */
export const NAME_PARTS = ['番号', '題名', 'サブジャンル', '説明', '無視'] as const;
export const PATTERN_LENGTH_MAX = 100;
export const FIRST_PATTERN = '{番号}_{題名}_{サブジャンル}';

type NamePart = (typeof NAME_PARTS)[number];
/** A part, and the text that ends it; '' for the last one, which ends with the name. */
interface PatternPart {
  readonly part: NamePart;
  readonly end: string;
}
export interface NamePattern {
  /** Before the first part. */
  readonly start: string;
  readonly parts: readonly PatternPart[];
}

const NO_MATCH = 'ファイル名が形に合いません。';

/** Reads a pattern such as `{番号}_{題名}`; a sentence says what is wrong with it. */
export function readPattern(text: string): NamePattern | string {
  if ([...text].length > PATTERN_LENGTH_MAX) return `形は${PATTERN_LENGTH_MAX}文字以内で入力してください。`;
  const [start = '', ...rest] = text.normalize('NFC').split('{');
  const parts = rest.map((each) => each.split('}'));
  if (start.includes('}') || parts.some((each) => each.length !== 2)) {
    return '「{」と「}」で囲んだ項目を使ってください。';
  }
  const pattern = parts.map(([part = '', end = '']) => ({ part, end }));
  const wrong = pattern.find(({ part }) => !(NAME_PARTS as readonly string[]).includes(part));
  if (wrong) return `「{${wrong.part}}」という項目はありません。`;
  if (pattern.length === 0) return '項目を1つ以上入れてください。';
  const used = pattern.map(({ part }) => part).filter((part) => part !== '無視');
  if (new Set(used).size < used.length) return '同じ項目は1回だけ使えます。';
  if (pattern.slice(0, -1).some(({ end }) => end === '')) return '項目の間に、区切りの文字を入れてください。';
  return { start, parts: pattern as PatternPart[] };
}

/** Reads the values of each row from its file name. A part ends at the first occurrence of the text after it. */
export function fillFromNames(
  pattern: NamePattern,
  rows: readonly ManyRow[],
  genres: readonly Genre[],
): Outcome[] {
  return rows.map((row) => {
    const found = readName(pattern, row.filename);
    if (found === undefined) return { row, values: {}, problem: NO_MATCH };
    const texts = {
      title: found.get('題名'),
      description: found.get('説明'),
      genres: found.get('サブジャンル'),
    };
    return fillRow(row, texts, genres);
  });
}

function readName({ start, parts }: NamePattern, filename: string): Map<NamePart, string> | undefined {
  let rest = filename.normalize('NFC').replace(/\.[A-Za-z0-9]{1,5}$/, '');
  if (!rest.startsWith(start)) return undefined;
  rest = rest.slice(start.length);
  const found = new Map<NamePart, string>();
  for (const [index, { part, end }] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (isLast && !rest.endsWith(end)) return undefined;
    const at = isLast ? rest.length - end.length : rest.indexOf(end);
    const text = rest.slice(0, at).trim();
    if (at < 0 || text === '' || (part === '番号' && !/^\p{Nd}+$/u.test(text))) return undefined;
    found.set(part, text);
    rest = rest.slice(at + end.length);
  }
  return found;
}
