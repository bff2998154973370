import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '../platform/storage/port.ts';
import { isNoneMatch, parseRange } from './conditions.ts';
import { REQUEST_ID_INDEX } from './pages.ts';
import type { Page, PageVariant } from './pages.ts';
import { JSON_HEADERS } from './security-headers.ts';
import type { Header } from './security-headers.ts';

/** The request and its response in progress; the response already has its id and security headers. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
}

/** Sends JSON: an error, or the state of the process. */
export function sendJson(
  { req, res }: Exchange,
  status: number,
  body: object,
  headers: readonly Header[] = [],
): void {
  const text = JSON.stringify(body);
  setHeaders(res, [...JSON_HEADERS, ['content-length', String(Buffer.byteLength(text))], ...headers]);
  res.writeHead(status);
  res.end(req.method === 'HEAD' ? undefined : text);
}

/** Content that can be sent whole or in part. */
export interface Sendable {
  readonly size: number;
  /** Strong: the same tag means the same bytes. */
  readonly etag: string;
  readonly headers: readonly Header[];
  /** In memory, or opened on demand. */
  readonly content: Buffer | ((range?: ByteRange) => Promise<Readable>);
}

/** Streams a file with backpressure; handles conditions and one range (GET and HEAD). */
export async function sendFile({ req, res }: Exchange, file: Sendable): Promise<void> {
  setHeaders(res, [...file.headers, ['etag', file.etag], ['accept-ranges', 'bytes']]);
  if (isNoneMatch(req.headers['if-none-match'], file.etag)) {
    res.removeHeader('content-type');
    res.writeHead(304).end();
    return;
  }
  const isHead = req.method === 'HEAD';
  const range = isHead
    ? ({ state: 'whole' } as const)
    : parseRange(req.headers.range, req.headers['if-range'] as string | undefined, file.size, file.etag);
  if (range.state === 'beyond') {
    setHeaders(res, [
      ['content-range', `bytes */${file.size}`],
      ['content-length', '0'],
    ]);
    res.removeHeader('content-type');
    res.writeHead(416).end();
    return;
  }
  const part = range.state === 'part' ? { start: range.start, end: range.end } : undefined;
  // Opened before the response starts, so that a missing file can still become a 404.
  const content = isHead ? undefined : await openContent(file.content, part);
  if (res.destroyed) {
    // The client disconnected while the file was being opened; it must be closed here.
    if (content instanceof Readable) content.destroy();
    return;
  }
  res.setHeader('content-length', part === undefined ? file.size : part.end - part.start + 1);
  if (part !== undefined) res.setHeader('content-range', `bytes ${part.start}-${part.end}/${file.size}`);
  res.writeHead(part === undefined ? 200 : 206);
  if (content === undefined || content instanceof Uint8Array) {
    res.end(content);
    return;
  }
  try {
    await pipeline(content, res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    // The client disconnected during the response: not an error.
  }
}

function openContent(content: Sendable['content'], part: ByteRange | undefined) {
  if (typeof content === 'function') return content(part);
  return part === undefined ? content : content.subarray(part.start, part.end + 1);
}

/** Sends a rendered page, or 304. The header list is shared with the page: `writeHead` reads it synchronously. */
export function sendPage({ req, res, requestId }: Exchange, page: Page, variant: PageVariant): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  const isUnchanged = page.status === 200 && isNoneMatch(req.headers['if-none-match'], page.etag);
  const headers = isUnchanged ? page.unchangedHeaders : variant.headers;
  headers[REQUEST_ID_INDEX] = requestId;
  res.writeHead(isUnchanged ? 304 : page.status, headers);
  res.end(isUnchanged || req.method === 'HEAD' ? undefined : variant.body);
}

export function setHeaders(res: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) res.setHeader(name, value);
}
