import { createRequire } from 'node:module';
import { toKatakana, toZenginText } from '../../../../contract/payouts/zengin-text.ts';
import type { Branch } from './format.ts';

interface Entry {
  readonly code: string;
  readonly name: string;
  readonly kana: string;
}
interface Bank extends Entry {
  readonly branches: Readonly<Record<string, Entry>>;
}
/** Banks by their code. */
type Banks = Readonly<Record<string, Bank>>;

/**
 * Kinds of institutions as typed, by how the list of banks writes them. The list writes a bank without its kind.
 */
const BANK_KINDS: readonly (readonly [typed: RegExp, kind: string])[] = [
  [/(銀行|ギンコウ)$/, ''],
  [/(信用金庫|信金|シンヨウキンコ|シンキン)$/, '信金'],
  [/(信用組合|信組|シンヨウクミアイ|シンクミ)$/, '信組'],
  [/(労働金庫|労金|ロウドウキンコ|ロウキン)$/, '労金'],
  [/(農業協同組合|農協|ノウギョウキョウドウクミアイ|ノウキョウ)$/, '農協'],
  [/(漁業協同組合|漁協)$/, '漁協'],
  [/(中央金庫|中金)$/, '中金'],
];
const BRANCH_KINDS: typeof BANK_KINDS = [
  [/(支店|シテン)$/, ''],
  [/(出張所|シュッチョウジョ)$/, '出張所'],
  [/営業部$/, '営業部'],
  // Branches of Japan Post Bank are called by their number.
  [/(?<=^[〇一二三四五六七八九\d]{3})店$/, ''],
];

/** 5 MB: loaded when a file is made, not at the start. */
export function loadBanks(): Banks {
  const require = createRequire(import.meta.url);
  return require('zengin-code') as Banks;
}

/** The branch with these codes; undefined if there is none. */
export function findBranchByCode(banks: Banks, bankCode: string, branchCode: string): Branch | undefined {
  const bank = banks[bankCode];
  const branch = bank?.branches[branchCode];
  return bank && branch && toBranch(bank, branch);
}

/**
 * The branch that a member's own words name, compared by name or reading without width, spaces, and the kind where it
 * was left out. What is unknown or names more than one is never guessed: then the reason, for the staff.
 */
export function findBranch(
  banks: Banks,
  bankName: string,
  branchName: string,
): Branch | { readonly problem: string } {
  const [bank, ...otherBanks] = findNamed(Object.values(banks), bankName, BANK_KINDS, 4);
  if (bank === undefined) return { problem: `金融機関「${bankName}」が見つかりません` };
  if (otherBanks.length > 0) {
    return {
      problem: `金融機関「${bankName}」を一つに決められません（${listNames([bank, ...otherBanks])}）`,
    };
  }
  const [branch, ...otherBranches] = findNamed(Object.values(bank.branches), branchName, BRANCH_KINDS, 3);
  if (branch === undefined) return { problem: `${bank.name}に支店「${branchName}」が見つかりません` };
  if (otherBranches.length > 0) {
    return {
      problem: `支店「${branchName}」を一つに決められません（${listNames([branch, ...otherBranches])}）`,
    };
  }
  return toBranch(bank, branch);
}

function toBranch(bank: Bank, branch: Entry): Branch {
  return {
    bankCode: bank.code,
    bankKana: toZenginText(bank.kana) ?? '',
    branchCode: branch.code,
    branchKana: toZenginText(branch.kana) ?? '',
  };
}

function findNamed<One extends Entry>(
  entries: readonly One[],
  typed: string,
  kinds: typeof BANK_KINDS,
  codeLength: number,
): One[] {
  const folded = fold(typed);
  if (folded === '') return [];
  const wanted = split(folded, kinds);
  const reading = enlarge(wanted.stem);
  return entries.filter((entry) => {
    if (wanted.stem.length === codeLength && entry.code === wanted.stem) return true;
    const { full, name, kana } = compare(entry, kinds);
    if (full === folded) return true;
    if (name.stem !== wanted.stem && kana !== reading) return false;
    return wanted.kind === undefined || wanted.kind === (name.kind ?? '');
  });
}

interface Compared {
  readonly full: string;
  readonly name: ReturnType<typeof split>;
  readonly kana: string;
}
/** Folding all banks takes 10 ms; a file looks up hundreds. */
const compared = new WeakMap<Entry, Compared>();

function compare(entry: Entry, kinds: typeof BANK_KINDS): Compared {
  const cached = compared.get(entry);
  if (cached) return cached;
  const full = fold(entry.name);
  const kana = enlarge(split(fold(entry.kana), kinds).stem);
  const made = { full, name: split(full, kinds), kana };
  compared.set(entry, made);
  return made;
}

/** `kind` is undefined if the text does not say it. */
function split(text: string, kinds: typeof BANK_KINDS): { readonly stem: string; readonly kind?: string } {
  for (const [pattern, kind] of kinds) {
    const stem = text.replace(pattern, '');
    if (stem !== text && stem !== '') return { stem, kind };
  }
  return { stem: text };
}

/** Without differences that people do not type consistently. */
function fold(text: string): string {
  return toKatakana(text)
    .replace(/[\s・.,、]/g, '')
    .replace(/[‐‑‒–—―−-]/g, 'ー')
    .replace(/ヶ/g, 'ケ')
    .replace(/ヵ/g, 'カ')
    .toUpperCase();
}

/** The list writes readings with large kana. */
function enlarge(kana: string): string {
  return kana.replace(/[ァィゥェォッャュョヮ]/g, (small) => String.fromCharCode(small.charCodeAt(0) + 1));
}

function listNames(entries: readonly Entry[]): string {
  const listed = entries.slice(0, 4).map(({ name }) => name);
  return listed.join('、') + (entries.length > listed.length ? 'など' : '');
}
