/**
 * Reads the few XML documents of the S3 API: flat elements without attributes that matter
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html).
 */

/** The start of an element. It has no other `<`, so that a broken answer is searched once, not from each `<` to its end. */
const toOpening = (name: string) => `<${name}(?:\\s[^<>]*)?>`;

/** The texts inside all elements of this name. */
export function listElements(xml: string, name: string): string[] {
  const opening = new RegExp(toOpening(name), 'g');
  const contents: string[] = [];
  while (opening.test(xml)) {
    const end = xml.indexOf(`</${name}>`, opening.lastIndex);
    if (end === -1) break;
    contents.push(xml.slice(opening.lastIndex, end));
    opening.lastIndex = end;
  }
  return contents;
}

/** The text of the first element of this name. */
export function findText(xml: string, name: string): string | undefined {
  const content = new RegExp(`${toOpening(name)}([^<]*)</${name}>`).exec(xml)?.[1];
  return content === undefined ? undefined : decodeEntities(content);
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
