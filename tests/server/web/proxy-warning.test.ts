import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { createProxyWarning } from '#server/web/proxy-warning.ts';

function countHints(remoteAddress: string | undefined, forwarded = '203.0.113.9'): number {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const headers = { 'x-forwarded-for': forwarded };
  createProxyWarning(log, 0)({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
  return lines.length;
}

describe('the hint at a proxy', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fd00::1',
    'fe80::1%eth0',
  ])('is logged for %s, which is not a visitor’s address', (address) => {
    expect(countHints(address)).toBe(1);
  });

  test.each(['203.0.113.9', '172.32.0.1', '100.128.0.1', '2001:db8::1', '::ffff:203.0.113.9', '', undefined])(
    'is not logged for %s, who may have written the header',
    (address) => {
      expect(countHints(address)).toBe(0);
    },
  );
});
