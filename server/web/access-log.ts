import type { IncomingMessage } from 'node:http';
import { hideSecrets, toAddressGroup } from '../platform/http/http.ts';

/** Characters that need no escaping in a JSON string. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
/** Harmless in JSON, but not in a terminal or viewer: C1 controls, line separators, bidi marks. */
const MISLEADING = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const TEXT_MAX = 500;

export interface AccessFacts {
  readonly requestId: string;
  readonly status: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly address: string;
}

/** One log line per request, in pino's format; built by hand because it is written for every request. */
export function toAccessLine(
  req: IncomingMessage,
  { requestId, status, startedAt, address }: AccessFacts,
): string {
  const now = Date.now();
  return `{"level":30,"time":${now},"id":"${requestId}","method":"${req.method ?? ''}","url":${quote(hideSecrets(req.url ?? ''))},"status":${status},"ms":${now - startedAt},"network":"${toNetwork(address)}","agent":${quote(req.headers['user-agent'])},"msg":"request"}\n`;
}

/**
 * The part of an address that identifies floods but not persons: logs are kept longer than the day's key of
 * `addresses.ts`.
 */
function toNetwork(address: string): string {
  const group = toAddressGroup(address);
  const lastDot = group.lastIndexOf('.');
  return lastDot === -1 ? group : `${group.slice(0, lastDot)}.0/24`;
}

/** Encodes an external text as a JSON string that can neither end the line nor control a terminal. */
export function quote(text: string | undefined): string {
  if (text === undefined) return '""';
  const short = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  if (PLAIN.test(short)) return `"${short}"`;
  return JSON.stringify(short).replace(
    MISLEADING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
