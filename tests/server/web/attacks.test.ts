import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAdmission } from '#server/platform/limits/admission.ts';
import { createAddressBudgets } from '#server/platform/http/address-budgets.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/platform/http/context.ts';
import { type CallLimits, limitCalls } from '#support/http/admissions.ts';
import { createTestApi } from '#support/http/api.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { type TestWebOptions, startWeb, toHtml } from '#support/http/web.ts';

const LIMITS: CallLimits = { concurrency: 1, waitingMax: 16, waitMsMax: 5_000, burst: 1_000, perSec: 0.001 };

/** Pages that use the processor for a while, with a count of renderings. */
async function startSlowWeb(limits: Partial<CallLimits> = {}, renderMs = 8, options: TestWebOptions = {}) {
  const state = { rendered: 0 };
  const web = await startWeb({
    ...options,
    admission: limitCalls({ ...LIMITS, ...limits }),
    async render(target) {
      await Promise.resolve();
      const end = performance.now() + renderMs;
      while (performance.now() < end);
      state.rendered += 1;
      return toHtml(`<p>${target}`);
    },
  });
  const agents = new Map<string, Agent>();
  onTestFinished(() => agents.forEach((agent) => agent.destroy()));
  return {
    ...web,
    state,
    /** Sends requests from an address of this machine, over kept-alive connections. */
    ask(localAddress: string, path: string) {
      const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true });
      agents.set(localAddress, agent);
      return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
        (resolve, reject) => {
          get(web.url + path, { localAddress, agent }, (res) => {
            text(res).then(
              (body) => resolve({ status: res.statusCode ?? 0, headers: res.headers, body }),
              reject,
            );
          }).on('error', reject);
        },
      );
    },
  };
}

describe('one address that requests uncached pages', () => {
  test('does not delay the state, cached pages or new pages of other visitors', async () => {
    const { ask, state } = await startSlowWeb();
    await ask('127.0.0.2', '/');
    const attack = new AbortController();
    const statuses = new Set<number>();
    const attackers = Array.from({ length: 50 }, async () => {
      while (!attack.signal.aborted)
        statuses.add((await ask('127.0.0.66', `/sounds?search=${Math.random()}`)).status);
    });
    await expect.poll(() => state.rendered, { timeout: 10_000 }).toBeGreaterThan(20);
    const first: Record<string, number[]> = { '/healthz': [], '/': [], fresh: [] };
    for (let round = 0; round < 10; round += 1) {
      for (const kind of ['/healthz', '/', 'fresh'] as const) {
        const before = state.rendered;
        const { status } = await ask('127.0.0.3', kind === 'fresh' ? `/sounds?search=other${round}` : kind);
        expect(status).toBe(200);
        first[kind]?.push(state.rendered - before);
      }
    }
    attack.abort();
    await Promise.all(attackers);
    // These renderings usually came first: each turn of the event loop started 50 of them.
    for (const counts of Object.values(first)) expect(counts.sort((a, b) => a - b)[5]).toBeLessThan(15);
    expect([...statuses].toSorted()).toEqual([200, 503]);
  });

  test('is refused with Retry-After, in Japanese and with every security header', async () => {
    const { ask } = await startSlowWeb({ burst: 2, waitingMax: 1 }, 100);
    const both = [ask('127.0.0.4', '/a'), ask('127.0.0.4', '/b')];
    const answers = [...(await Promise.all(both)), await ask('127.0.0.4', '/c')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const late = answers[2];
    expect(late?.headers['retry-after']).toBe('2');
    expect(late?.body).toContain('<html lang="ja">');
    expect(late?.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(late?.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    // Cached pages are free, and other addresses have their own budget.
    expect((await ask('127.0.0.4', '/a')).status).toBe(200);
    expect((await ask('127.0.0.5', '/c')).status).toBe(200);
  });
});

describe('a client that retries at once after a refusal', () => {
  /** The number of refusals that 20 connections receive in half a second. */
  async function countRefusals(refuse: () => Promise<number>): Promise<number> {
    const end = performance.now() + 500;
    let refused = 0;
    const connections = Array.from({ length: 20 }, async () => {
      while (performance.now() < end) if ((await refuse()) >= 429) refused += 1;
    });
    await Promise.all(connections);
    return refused;
  }

  test('receives a few refusals a second on each connection, for pages and for reads of the API', async () => {
    const limits = { burst: 1, refusalDelayMs: 200 };
    const { ask } = await startSlowWeb(limits);
    const page = async () => (await ask('127.0.0.7', `/sounds?search=${Math.random()}`)).status;
    expect(await countRefusals(page)).toBeLessThanOrEqual(60);

    const database = await openTestDatabase('sqlite');
    onTestFinished(() => database.close());
    const { app } = createTestApi(database, { readAdmission: limitCalls({ ...LIMITS, ...limits }) });
    const headers = { [CLIENT_ADDRESS_HEADER]: '192.0.2.9' };
    const read = async () => (await app.request('/api/sounds/', { headers })).status;
    expect(await countRefusals(read)).toBeLessThanOrEqual(60);
  });
});

describe('P17 one address that asks for files that do not exist', () => {
  test('is refused late, gets existing files as before, and does not affect others', async () => {
    const missAdmission = limitCalls({ ...LIMITS, burst: 3, refusalDelayMs: 300 });
    const { ask, storage } = await startSlowWeb({}, 0, { missAdmission });
    const picture = `pictures/${'a'.repeat(64)}/320.webp`;
    await storage.put(picture, Buffer.from('picture'));
    const missing = [`/media/${'x'.repeat(9_000)}`, '/media/sounds/1/a.mp3', '/_astro/missing.js'];
    for (const path of missing) expect((await ask('127.0.0.8', path)).status).toBe(404);
    const startedAt = performance.now();
    const refused = await ask('127.0.0.8', '/media/downloads/1');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(290);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(refused.body).toContain('アクセスが多すぎます');
    expect((await ask('127.0.0.8', `/media/${picture}`)).status).toBe(200);
    expect((await ask('127.0.0.9', missing[0] ?? '')).status).toBe(404);
  });
});

describe('reads of the API from outside', () => {
  test('have a budget per address and network; calls of pages have none', async () => {
    const database = await openTestDatabase('sqlite');
    onTestFinished(() => database.close());
    // An address has nine tenths of it.
    const budgets = createAddressBudgets({ burst: 3.4, perSec: 0.001 });
    const readAdmission = createAdmission({ ...LIMITS, budgets });
    const { app } = createTestApi(database, { readAdmission, webOrigin: 'https://web.example' });
    const read = async (address: string, path = '/api/sounds/', method = 'GET') => {
      const headers = { [CLIENT_ADDRESS_HEADER]: address, origin: 'https://web.example' };
      return app.request(path, { method, headers });
    };
    const statuses = [];
    for (const method of ['GET', 'HEAD', 'GET', 'GET'])
      statuses.push((await read('192.0.2.1', '/api/sounds/', method)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await read('192.0.2.1', '/api/sounds/x/');
    expect(((await refused.json()) as { detail: string }).detail).toContain('回数が多すぎます');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://web.example');
    expect((await read('192.0.2.2')).status).toBe(429);
    expect((await read('198.51.100.2')).status).toBe(200);
    // One IPv6 network counts as one visitor.
    for (const last of [1, 2, 3]) expect((await read(`2001:db8::${last}`)).status).toBe(200);
    expect((await read('2001:db8::4')).status).toBe(429);
    for (let count = 0; count < 10; count += 1) expect((await read('')).status).toBe(200);
    // A resuming upload is not delayed.
    expect((await read('192.0.2.1', '/api/uploads/x', 'HEAD')).status).not.toBe(429);
  });
});
