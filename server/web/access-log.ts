import type { IncomingMessage } from 'node:http';
import { createAddressBudgets } from '../platform/http/address-budgets.ts';
import { hideSecrets } from '../platform/http/secrets-in-urls.ts';
import { toAddressGroup } from '../platform/http/address-limits.ts';
import { LOG_LINE_LIMITS } from '../platform/limits/read-limits.ts';
import type { LogOutput } from '../platform/log.ts';

/** Characters that need no escaping in a JSON string. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
/** Harmless in JSON, but not in a terminal or viewer: C1 controls, line separators, bidi marks. */
const MISLEADING = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** Bytes of a text of a request in a line, without the note that it was cut. */
const TEXT_MAX = 300;
/** Networks that a report of omitted lines names. */
const NAMED_MAX = 10;
const REPORT_MS = 60_000;

export interface AccessFacts {
  readonly requestId: string;
  readonly status: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly address: string;
}

/**
 * Writes one line per request, in pino's format; built by hand because it is written for every request. A network
 * that has used up its lines is left out, and a line a minute says so.
 */
export function createAccessLog({
  log,
  writeLine,
}: LogOutput): (req: IncomingMessage, facts: AccessFacts) => void {
  if (!log.isLevelEnabled('info')) return () => undefined;
  const budgets = createAddressBudgets(LOG_LINE_LIMITS);
  const networks = new Set<string>();
  let omitted = 0;

  function omit(network: string): void {
    if (omitted === 0) setTimeout(report, REPORT_MS).unref();
    omitted += 1;
    if (networks.size < NAMED_MAX) networks.add(network);
  }

  function report(): void {
    log.warn(
      { requests: omitted, networks: [...networks] },
      'requests were left out of the log, these networks sent too many',
    );
    omitted = 0;
    networks.clear();
  }

  return (req, facts) => {
    const group = toAddressGroup(facts.address);
    if (budgets.take(facts.address) > 0) omit(toNetwork(group));
    else writeLine(toLine(req, facts, group));
  };
}

function toLine(
  { method = '', url = '', headers }: IncomingMessage,
  { requestId, status, startedAt }: AccessFacts,
  group: string,
): string {
  const now = Date.now();
  return `{"level":30,"time":${now},"id":"${requestId}","method":"${method}","url":${quote(hideSecrets(url))},"status":${status},"ms":${now - startedAt},"network":"${toNetwork(group)}","agent":${quote(headers['user-agent'])},"msg":"request"}\n`;
}

/**
 * The part of an address group that identifies floods but not persons: logs are kept longer than the day's key of
 * `addresses.ts`.
 */
function toNetwork(group: string): string {
  const lastDot = group.lastIndexOf('.');
  return lastDot === -1 ? group : `${group.slice(0, lastDot)}.0/24`;
}

/**
 * Encodes an external text as a JSON string that can neither end the line nor control a terminal. A long one is cut, and
 * says how many characters are missing.
 */
export function quote(text = ''): string {
  if (text.length <= TEXT_MAX && PLAIN.test(text)) return `"${text}"`;
  let quoted = text.slice(0, TEXT_MAX);
  let encoded = encode(quoted);
  while (Buffer.byteLength(encoded) > TEXT_MAX + 2) {
    quoted = quoted.slice(0, Math.floor(quoted.length / 2));
    encoded = encode(quoted);
  }
  const missing = text.length - quoted.length;
  return missing === 0 ? encoded : `${encoded.slice(0, -1)}… (${missing} more)"`;
}

function encode(text: string): string {
  return JSON.stringify(text).replace(
    MISLEADING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
