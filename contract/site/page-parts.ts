/** A prepared part of a page, as UTF-8. */
export type Part = Uint8Array<ArrayBuffer>;

/** The parts of a page that is being rendered. */
export interface PageParts {
  /** Precedes the index of a part in the HTML. Random, so that a member's text cannot refer to a part. */
  readonly mark: string;
  readonly list: Part[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function toPart(html: string): Part {
  return encoder.encode(html);
}

/**
 * Adds a part to a page that is being rendered; returns the mark that represents it in the HTML. Astro joins and encodes marks
 * instead of 80 KB that are the same on many pages. Without `parts`, as in development, it is the part itself.
 */
export function insertPart(parts: PageParts | undefined, part: Part): string {
  if (parts === undefined) return decoder.decode(part);
  return `${parts.mark}${parts.list.push(part) - 1};`;
}

/** The first byte of a mark, which hardly occurs in HTML otherwise: marks are found without looking at the rest. */
const MARK_START = 1;
const SEMICOLON = 0x3b;

let mark: string | undefined;

/** Some edge runtimes have no random numbers before the first request. */
export function createParts(): PageParts {
  mark ??= `${String.fromCharCode(MARK_START)}${crypto.randomUUID()}:`;
  return { mark, list: [] };
}

/** Replaces the marks of a rendered page by its parts. Both are UTF-8: a page is not decoded. */
export function joinParts(page: Part, parts?: PageParts): Part {
  if (parts === undefined) return page;
  const markBytes = toPart(parts.mark);
  const pieces: Part[] = [];
  let end = 0;
  for (let at = page.indexOf(MARK_START); at !== -1; at = page.indexOf(MARK_START, at + 1)) {
    if (!markBytes.every((byte, index) => page[at + index] === byte)) continue;
    const indexEnd = page.indexOf(SEMICOLON, at);
    const part = parts.list[Number(decoder.decode(page.subarray(at + markBytes.byteLength, indexEnd)))];
    if (part === undefined) throw new Error('a page names a part that it does not have');
    pieces.push(page.subarray(end, at), part);
    end = indexEnd + 1;
  }
  pieces.push(page.subarray(end));
  return concat(pieces);
}

function concat(pieces: readonly Part[]): Part {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
