import { XMLParser, XMLValidator } from 'fast-xml-parser';

interface Element {
  readonly [name: string]: string | Element | readonly Element[] | undefined;
}

/** A feed as its readers see it. */
export interface AtomFeed {
  readonly title: string;
  readonly id: string;
  readonly updated: string;
  readonly link: readonly Record<string, string>[];
  readonly entry: readonly AtomEntry[];
}

interface AtomEntry {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly published: string;
  readonly summary?: string;
  readonly author: readonly { readonly name: string; readonly uri?: string }[];
  readonly link: readonly Record<string, string>[];
}

const ARRAYS = new Set(['entry', 'link', 'author']);
/** The elements of RFC 4287 §4.1.1 and §4.1.2, and how often each may occur. */
const ONE = {
  id: [1, 1],
  title: [1, 1],
  updated: [1, 1],
  author: [0, Infinity],
  link: [0, Infinity],
} as const;
const FEED = { ...ONE, subtitle: [0, 1], icon: [0, 1], entry: [0, Infinity] } as const;
const ENTRY = { ...ONE, published: [0, 1], summary: [0, 1] } as const;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  isArray: (name) => ARRAYS.has(name),
});

/** Parses a feed. */
export function parseAtom(xml: string): AtomFeed {
  const { feed } = parser.parse(xml) as { feed: Omit<AtomFeed, 'entry'> };
  return { entry: [], ...feed };
}

/** What RFC 4287 forbids in this feed, one fault per line; the parser itself accepts too much. */
export function listAtomFaults(xml: string): string[] {
  const faults: string[] = [];
  const note = (isFault: boolean, fault: string) => void (isFault && faults.push(fault));
  note(XMLValidator.validate(xml) !== true, 'not well-formed');
  note(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml), 'a character that XML forbids');
  note(/&(?!(?:amp|lt|gt|quot|apos);)/.test(xml), 'an undeclared entity');
  note(!xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<feed '), 'not a feed in UTF-8');
  if (faults.length > 0) return faults;
  const feed = parseAtom(xml);
  note((feed as unknown as Element)['xmlns'] !== 'http://www.w3.org/2005/Atom', 'another namespace');
  checkChildren(feed as unknown as Element, FEED, note, ['xmlns', 'xml:lang']);
  checkParts(feed, note);
  note(feed.link.filter(({ rel }) => rel === 'self').length !== 1, 'not one link to itself (§4.1.1)');
  for (const entry of feed.entry) {
    checkChildren(entry as unknown as Element, ENTRY, note);
    checkParts(entry, note);
    note(!(entry.author?.length > 0), 'an entry without an author (§4.1.2)');
    note(!entry.link.some(({ rel }) => rel === 'alternate'), 'an entry without content or page (§4.1.2)');
    for (const { name, uri } of entry.author ?? []) {
      note(typeof name !== 'string', 'an author without a name (§3.2.1)');
      note(uri !== undefined && !isAbsolute(uri), `the author's address ${uri}`);
    }
  }
  const ids = feed.entry.map(({ id }) => id);
  note(new Set(ids).size !== ids.length, 'two entries with one id (§4.1.1)');
  const dates = feed.entry.map(({ published }) => Date.parse(published));
  note(
    dates.some((date, index) => date > (dates[index - 1] ?? Infinity)),
    'an order other than newest first',
  );
  return faults;
}

type Note = (isFault: boolean, fault: string) => void;

function checkChildren(
  element: Element,
  allowed: Record<string, readonly [min: number, max: number]>,
  note: Note,
  attributes: readonly string[] = [],
): void {
  for (const [name, child] of Object.entries(element)) {
    if (name === '#text') continue;
    const count = Array.isArray(child) ? child.length : 1;
    const [, max] = allowed[name] ?? [0, 0];
    note(count > max && !attributes.includes(name), `${count} of ${name}`);
  }
  for (const [name, [min]] of Object.entries(allowed))
    note(min > 0 && element[name] === undefined, `no ${name}`);
}

function checkParts({ id, updated, link }: Pick<AtomFeed, 'id' | 'updated' | 'link'>, note: Note): void {
  note(!isAbsolute(id), `the id ${id} (§4.2.6)`);
  note(!RFC_3339.test(updated) || Number.isNaN(Date.parse(updated)), `the date ${updated} (§3.3)`);
  for (const { href = '', type, length } of link ?? []) {
    note(!isAbsolute(href), `the link ${href} (§4.2.7)`);
    note(type !== undefined && !/^[\w.+-]+\/[\w.+-]+(;.*)?$/.test(type), `the type ${type} (§4.2.7.3)`);
    note(length !== undefined && !/^\d+$/.test(length), `the length ${length} (§4.2.7.6)`);
  }
}

/** Written as `URL` writes it, with a scheme. */
function isAbsolute(address: string): boolean {
  return URL.canParse(address) && new URL(address).href === address;
}
