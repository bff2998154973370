import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LOG_LINE_LIMITS } from '#server/platform/limits/read-limits.ts';
import { createLog } from '#server/platform/log.ts';
import { createAccessLog, quote } from '#server/web/access-log.ts';
import { startWeb, toHtml } from '#support/http/web.ts';

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

  test.each(['x', '"', '\u0000', '\u009f', '音', '🎵'])(
    'cuts a long value of %j, and says so',
    (character) => {
      const quoted = quote(character.repeat(100_000));
      expect(Buffer.byteLength(quoted)).toBeLessThan(330);
      const [, kept = '', missing] = /^(.*)… \((\d+) more\)$/s.exec(JSON.parse(quoted) as string) ?? [];
      expect(kept.length + Number(missing)).toBe(100_000 * character.length);
      expect(kept).toBe(character.repeat(100_000).slice(0, kept.length));
      expect(kept.length).toBeGreaterThan(20);
    },
  );
});

/** A request log into an array. */
function startLog() {
  const lines: string[] = [];
  const writeLine = (line: string) => void lines.push(line);
  const log = createLog('info', { write: writeLine });
  const write = createAccessLog({ log, writeLine, flush: () => Promise.resolve(true) });
  const logRequest = (address: string, url = '/', agent = '') =>
    write({ method: 'GET', url, headers: { 'user-agent': agent } } as unknown as IncomingMessage, {
      requestId: 'x',
      status: 404,
      startedAt: 0,
      address,
    });
  return { lines, logRequest };
}

describe('P16 one network', () => {
  test('has a bounded number of lines, and is named once a minute while it is left out', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { lines, logRequest } = startLog();
    const { burst, perSec } = LOG_LINE_LIMITS;
    for (let count = 0; count < burst + 3; count += 1) logRequest(`203.0.113.${count % 200}`);
    expect(lines).toHaveLength(burst);
    logRequest('203.0.114.1');
    expect(lines).toHaveLength(burst + 1);
    vi.advanceTimersByTime(60_000);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      level: 40,
      requests: 3,
      networks: ['203.0.113.0/24'],
    });
    const before = lines.length;
    for (let count = 0; count < perSec * 60 + 1; count += 1) logRequest(`203.0.113.${count % 200}`);
    expect(lines.length - before).toBe(perSec * 60);
    vi.advanceTimersByTime(60_000);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ requests: 1 });
    vi.advanceTimersByTime(600_000);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ requests: 1 });
  });

  test('writes no longer line than the limit says', () => {
    const { lines, logRequest } = startLog();
    logRequest('2001:db8:1:2:3:4:5:6', `/media/sounds/${'a'.repeat(90_000)}`, '\u009f'.repeat(8_000));
    const bytes = Buffer.byteLength(lines[0] ?? '');
    expect(bytes).toBeLessThan(900);
    const { burst, perSec } = LOG_LINE_LIMITS;
    expect((burst + perSec * 3_600) * bytes).toBeLessThan(20_000_000);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      url: expect.stringMatching(/^\/media\/sounds\/a+… \(\d+ more\)$/) as string,
    });
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
    const { lines, logRequest } = startLog();
    logRequest(address);
    const line = lines[0] ?? '';
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
