import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Browsers send a few values, which are parsed once. */
const picked = new LRUCache<string, Encoding>({ max: 100 });
const ACCEPT_LENGTH_MAX = 100;

/**
 * The best available encoding that `Accept-Encoding` allows (RFC 9110 §12.5.3): Brotli first, regardless of the
 * client's preference.
 */
export function pickEncoding(accept: string | undefined): Encoding {
  if (accept === undefined) return 'identity';
  const cached = picked.get(accept);
  if (cached !== undefined) return cached;
  const allowed = new Negotiator({ headers: { 'accept-encoding': accept } }).encodings(['br', 'gzip']);
  const encoding = allowed.includes('br') ? 'br' : allowed.includes('gzip') ? 'gzip' : 'identity';
  if (accept.length <= ACCEPT_LENGTH_MAX) picked.set(accept, encoding);
  return encoding;
}

/** Whether `If-None-Match` names this entity tag; weak comparison (RFC 9110 §13.1.2). */
export function isNoneMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

export type RangeResult =
  { state: 'whole' } | { state: 'part'; start: number; end: number } | { state: 'beyond' };

/**
 * Parses one byte range of `size` bytes (RFC 9110 §14). Several ranges, other units and invalid values are answered
 * with the whole file, which the RFC allows: so no request costs more than the file. The whole is also sent unless
 * `ifRange` is the current strong tag.
 */
export function parseRange(
  range: string | undefined,
  ifRange: string | undefined,
  size: number,
  etag: string,
): RangeResult {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return { state: 'whole' };
  const found = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range);
  if (found === null) return { state: 'whole' };
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return { state: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { state: 'beyond' } : { state: 'part', start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return { state: 'whole' };
  return start >= size ? { state: 'beyond' } : { state: 'part', start, end };
}
