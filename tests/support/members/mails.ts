import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailTransport, OutgoingMail } from '#server/platform/mail/port.ts';

/** A mail as its receiver reads it. */
export interface ReadMail {
  /** The header lines, unfolded but otherwise unchanged. */
  readonly lines: readonly string[];
  /** The value of a header that must occur once, with its encoded words decoded. */
  header(name: string): string;
  readonly text: string;
  readonly html: string;
}

/** The mails of an outbox folder, oldest first, without those that are being written. */
export async function readOutbox(folder: string): Promise<ReadMail[]> {
  const names = (await readdir(folder)).filter((name) => /^[^.].*\.eml$/.test(name)).sort();
  return Promise.all(names.map(async (name) => readMail(await readFile(join(folder, name)))));
}

/** Parses a mail with a text and an HTML part; throws on an invalid header line. */
export function readMail(bytes: Uint8Array): ReadMail {
  const raw = Buffer.from(bytes).toString('latin1');
  const { lines, body } = splitPart(raw);
  const type = /^content-type: multipart\/alternative;\s*boundary="([^"]+)"/im.exec(lines.join('\n'));
  const boundary = type?.[1] ?? '';
  const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (boundary === '' || parts.pop()?.trim() !== '--') throw new Error(`no two parts: ${raw}`);
  const read = parts.map((part) => readPart(part.slice(2)));
  const find = (kind: string) => read.find((part) => part.type.startsWith(kind))?.content ?? '';
  return {
    lines,
    header(name) {
      const found = lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `));
      if (found.length !== 1) throw new Error(`${name} stands there ${found.length} times`);
      return readWords(found[0]!.slice(name.length + 2));
    },
    text: find('text/plain'),
    html: find('text/html'),
  };
}

function splitPart(raw: string): { lines: string[]; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n');
  for (const line of lines) if (!/^[\w-]+: [\x20-\x7e]*$/.test(line)) throw new Error(`no header: ${line}`);
  return { lines, body: raw.slice(end + 4) };
}

function readPart(raw: string): { type: string; content: string } {
  const { lines, body } = splitPart(raw);
  const valueOf = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length + 2) ?? '';
  return {
    type: valueOf('Content-Type'),
    content: toBytes(body, valueOf('Content-Transfer-Encoding')).toString('utf8').replaceAll('\r\n', '\n'),
  };
}

function toBytes(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const plain = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}

/** RFC 2047: white space between encoded words is not part of the value. */
function readWords(value: string): string {
  return value
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString());
}

/** A transport that records its mails, and awaits `first` before each. */
export function createTestTransport(
  first: (mail: OutgoingMail) => Promise<void> | void = () => undefined,
): MailTransport & { readonly sent: OutgoingMail[]; isClosed(): boolean } {
  const sent: OutgoingMail[] = [];
  let isClosed = false;
  return {
    sent,
    isClosed: () => isClosed,
    async send(mail) {
      await first(mail);
      sent.push(mail);
      return {};
    },
    async close() {
      isClosed = true;
    },
  };
}
