import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { toClientAddress } from '#server/web/client-address.ts';

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('toClientAddress', () => {
  test.each([
    ['nobody before us is believed by default', '203.0.113.9', '198.51.100.1', 0, '203.0.113.9'],
    ['one proxy is believed for one entry', '10.0.0.1', '198.51.100.1', 1, '198.51.100.1'],
    ['what the visitor wrote before it is not', '10.0.0.1', '1.2.3.4, 198.51.100.1', 1, '198.51.100.1'],
    ['two proxies', '10.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
    ['too few entries fall back to the connection', '10.0.0.1', '198.51.100.1', 2, '10.0.0.1'],
    ['no header falls back to the connection', '10.0.0.1', undefined, 1, '10.0.0.1'],
    ['an entry with a port', '10.0.0.1', '198.51.100.1:50123', 1, '198.51.100.1'],
    ['an IPv6 entry with a port', '10.0.0.1', '[2001:db8::1]:50123', 1, '2001:db8::1'],
    ['a number is no address', '10.0.0.1', '12', 1, '10.0.0.1'],
    ['nonsense falls back to the connection', '10.0.0.1', '"><script>', 1, '10.0.0.1'],
    ['IPv4 in IPv6 is IPv4', '::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
    ['IPv6 stays', '2001:db8::1', undefined, 0, '2001:db8::1'],
  ])('%s', (_, remote, forwarded, hops, address) => {
    expect(toClientAddress(from(remote, forwarded), hops)).toBe(address);
  });
});
