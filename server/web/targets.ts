import { QUERY_PARAMS_MAX, cutQuery } from '../platform/http/http.ts';

/** What a request asks for, in the one spelling that everything after this point sees. */
export interface Target {
  /** Begins with one slash; percent-encoded; no empty, `.` or `..` segments. */
  readonly path: string;
  /** Without the question mark; as it came, up to one parameter more than any call may have. */
  readonly query: string;
}

const PLAIN = /^(?:\/[\w~@!$'()*+,;=:-][\w.~@!$'()*+,;=:-]*)*\/?$/;
/** A slash, backslash or NUL hidden by percent-encoding would mean another path to whoever decodes once more. */
const HIDDEN = /%(?:2f|5c|00)/i;

/**
 * The target of a request line, or undefined for one that has no single meaning: `//`, dot
 * segments in any disguise, backslashes, broken percent-encoding. An absolute form
 * (RFC 9112 §3.2.2) counts by its path; its host is ignored as the Host header is.
 */
export function parseTarget(url: string): Target | undefined {
  const origin = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = origin.indexOf('?');
  const raw = mark === -1 ? origin : origin.slice(0, mark);
  const query = mark === -1 ? '' : cutQuery(origin.slice(mark + 1), QUERY_PARAMS_MAX + 1);
  const path = PLAIN.test(raw) && raw !== '' ? raw : normalise(raw);
  return path === undefined ? undefined : { path, query };
}

function normalise(raw: string): string | undefined {
  if (!raw.startsWith('/') || HIDDEN.test(raw) || /[\\#\s]/.test(raw)) return undefined;
  const segments = raw.slice(1).split('/').map(normaliseSegment);
  const isEmptyInside = segments.slice(0, -1).includes('');
  if (isEmptyInside || segments.includes(undefined)) return undefined;
  return `/${segments.join('/')}`;
}

function normaliseSegment(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded === '.' || decoded === '..' ? undefined : encodeURIComponent(decoded);
  } catch {
    return undefined;
  }
}
