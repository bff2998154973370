import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { quote, toAccessLine } from '../../../server/web/access-log.ts';
import { startWeb, toHtml } from '../../support/web.ts';

describe('quote', () => {
  test.each([
    'plain',
    'with "quotes" and \\',
    'line\r\nbreak\tand\0nul',
    '\u001b[31mred\u009b31m',
    'right-to-left \u202e and \u2028 separator',
    '音 🎵 \ud800',
  ])('turns %j into one safe line that parses back to the same value', (text) => {
    const quoted = quote(text);
    expect(quoted).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(JSON.parse(quoted)).toBe(text);
  });

  test('truncates long values', () => {
    expect(quote('x'.repeat(100_000)).length).toBeLessThan(600);
  });
});

describe('the request log', () => {
  test('has one line of JSON for each request, with the id of the reply', async () => {
    const { get, lines } = await startWeb({
      render: (target) => toHtml('x', { status: target === '/' ? 200 : 404 }),
    });
    const ids: (string | null)[] = [];
    for (const path of ['/', '/', '/nope', '/api/x', '/media/x', '/healthz', '//x']) {
      const response = await get(path, { 'user-agent': 'test\u009b31m "agent"' });
      await response.text();
      ids.push(response.headers.get('x-request-id'));
    }
    await wait(20);
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.map(({ id }) => id)).toEqual(ids);
    expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(logged[2]).toMatchObject({
      method: 'GET',
      url: '/nope',
      status: 404,
      agent: 'test\u009b31m "agent"',
      network: '127.0.0.0/24',
      msg: 'request',
    });
  });

  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['', ''],
  ])('keeps of the address %j no more than its network', (address, network) => {
    const facts = { requestId: 'x', status: 200, startedAt: 0, address };
    const line = toAccessLine({ method: 'GET', url: '/', headers: {} } as IncomingMessage, facts);
    expect(JSON.parse(line)).toMatchObject({ network });
    if (address !== '') expect(line).not.toContain(address);
  });

  test('distinguishes an aborted request from a completed one', async () => {
    const { url, lines } = await startWeb({ render: async () => (await wait(200), toHtml('late')) });
    await expect(fetch(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    await wait(300);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ status: 499 });
  });
});
