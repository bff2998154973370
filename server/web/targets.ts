import { QUERY_PARAMS_MAX, truncateQuery } from '../platform/http/query-bounds.ts';

/** The normalised target of a request, which all later code uses. */
export interface Target {
  /** Starts with one slash; percent-encoded; no empty, `.` or `..` segments. */
  readonly path: string;
  /** Without the question mark; unchanged, except that it is cut after one parameter more than any call may have. */
  readonly query: string;
  /** Requested by the staff, for whom the pages at /operator exist. */
  readonly isStaff?: boolean;
}

/** The target used for an address that is ambiguous; no route has it. */
export const NOT_FOUND: Target = { path: '/404', query: '' };

const PLAIN = /^(?:\/[\w~@!$'()*+,;=:-][\w.~@!$'()*+,;=:-]*)*\/?$/;
/** A percent-encoded slash, backslash or NUL would be another path for code that decodes once more. */
const HIDDEN = /%(?:2f|5c|00)/i;
/** The start of a target in absolute form. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/**
 * The target of a request line, or undefined if it is ambiguous: `//`, dot segments in any encoding, backslashes,
 * invalid percent-encoding. Of an absolute form (RFC 9112 §3.2.2) only the path is used.
 */
export function parseTarget(url: string): Target | undefined {
  const origin = url.startsWith('/') ? url : url.replace(ABSOLUTE, '');
  const mark = origin.indexOf('?');
  const raw = mark === -1 ? origin : origin.slice(0, mark);
  const query = mark === -1 ? '' : truncateQuery(origin.slice(mark + 1), QUERY_PARAMS_MAX + 1);
  const path = PLAIN.test(raw) && raw !== '' ? raw : normalise(raw);
  return path === undefined ? undefined : { path, query };
}

/** The host and port of a target in absolute form, in lower case. */
export function findAuthority(url: string): string | undefined {
  return url.startsWith('/') ? undefined : ABSOLUTE.exec(url)?.[1]?.toLowerCase();
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
