/** A prepared part of a page, as UTF-8. */
export type Part = Uint8Array<ArrayBuffer>;

/** The parts of a page that is being rendered. */
export interface PageParts {
  /** Stands in the HTML before the index of a part. Random, so that a text of a member cannot name one. */
  readonly mark: string;
  readonly list: Part[];
}

const encoder = new TextEncoder();

export function toPart(html: string): Part {
  return encoder.encode(html);
}

/**
 * Puts a part into a page that is being rendered; returns the HTML that stands for it. Astro joins and encodes marks
 * instead of 80 KB that are the same on many pages. Without `parts`, as in development, it is the part itself.
 */
export function placePart(parts: PageParts | undefined, part: Part): string {
  if (parts === undefined) return new TextDecoder().decode(part);
  return `${parts.mark}${parts.list.push(part) - 1};`;
}

let mark: string | undefined;

/** Some edge runtimes have no random numbers before the first request. */
export function createParts(): PageParts {
  mark ??= `${crypto.randomUUID()}:`;
  return { mark, list: [] };
}

/** A rendered page with its parts in place of their marks, as UTF-8. */
export function joinParts(text: string, parts?: PageParts): Part {
  const [head = '', ...rest] = parts === undefined ? [text] : text.split(parts.mark);
  const pieces = [toPart(head)];
  for (const piece of rest) {
    const end = piece.indexOf(';');
    const part = parts?.list[Number(piece.slice(0, end))];
    if (part === undefined) throw new Error('a page names a part that it does not have');
    pieces.push(part, toPart(piece.slice(end + 1)));
  }
  const page = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    page.set(piece, at);
    at += piece.byteLength;
  }
  return page;
}
