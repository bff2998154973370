import { foldSearchText } from '../../../../contract/search/search-tokens.ts';

/** A part of a text, as it is typed and as it is folded without spaces. */
export interface FoldedPart {
  readonly typed: string;
  readonly folded: string;
}

/** The smallest parts of a text that are folded by themselves: ｶ and its ﾞ are one. */
export function toFoldedParts(text: string): FoldedPart[] {
  const parts: FoldedPart[] = [];
  for (const typed of text) {
    const folded = fold(typed);
    const last = parts.at(-1);
    const joined = last && { typed: last.typed + typed, folded: fold(last.typed + typed) };
    if (last === undefined || joined?.folded === last.folded + folded) parts.push({ typed, folded });
    else if (joined !== undefined) parts.splice(-1, 1, joined);
  }
  return parts.map((part, at) => {
    const [before, after] = [parts[at - 1], parts[at + 1]];
    if (before === undefined || after === undefined) return part;
    // ・ between two kana is nothing.
    const isNothing = fold(before.typed + part.typed + after.typed) === before.folded + after.folded;
    return isNothing ? { ...part, folded: '' } : part;
  });
}

/** The first part of a text, as it is typed, that is folded to a word; the word itself if there is none. */
export function findTyped(parts: readonly FoldedPart[], word: string): string {
  const wanted = word.replace(/\s/g, '');
  for (const start of parts.keys()) {
    let folded = '';
    for (let end = start; end < parts.length && wanted.startsWith(folded); end += 1) {
      folded += parts[end]?.folded ?? '';
      if (folded === wanted) return join(parts.slice(start, end + 1));
    }
  }
  return word;
}

function join(parts: readonly FoldedPart[]): string {
  return parts
    .map(({ typed }) => typed)
    .join('')
    .trim();
}

function fold(text: string): string {
  return foldSearchText(text).replace(/\s/g, '');
}
