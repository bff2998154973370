import { existsSync } from 'node:fs';
import { type Server, createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EDGE_DIR, type EdgeRuntime, startDeno, startWorkerd } from '../support/edge-runtimes.ts';
import { findFreePort } from '../support/foreign-sites.ts';
import { useBrowser } from '../support/pages.ts';
import { type Site, startSite } from '../support/sites.ts';

interface Entry {
  readonly default: { fetch(request: Request, bindings?: object): Promise<Response> };
}

/** In front of the API: records the hosts that are called, and can stop answering. */
const gate = { origin: '', apiUrl: '', hosts: new Set<string>(), isDown: false };
let gateServer: Server | undefined;
let api: Site;
let node: Site;
let siteUrl: string;
const edges: Record<string, EdgeRuntime> = {};
let settings: Record<string, string>;
let soundId: string;
const { open } = useBrowser(() => siteUrl);

beforeAll(async () => {
  expect(existsSync(EDGE_DIR), 'npm run build -- --target edge has run').toBe(true);
  const [workerdPort, denoPort] = [await findFreePort(), await findFreePort()];
  siteUrl = `http://127.0.0.1:${workerdPort}`;
  await openGate();
  api = await startSite({ WEB_ORIGIN: siteUrl, SITE_URL: gate.origin });
  gate.apiUrl = api.url;
  settings = { SITE_URL: siteUrl, API_ORIGIN: gate.origin, SITE_NAME: '音の市' };
  const options = { apiOrigin: gate.origin, settings };
  // One after the other: if one does not start, those before it are stopped.
  node = await startSite({ ...settings, PORT: '0', PAGE_CACHE_MIB: '0' });
  edges['workerd'] = await startWorkerd({ ...options, port: workerdPort });
  edges['Deno'] = await startDeno({ ...options, port: denoPort });
  const list = (await (await fetch(`${api.url}/api/sounds/`)).json()) as { results: { id: string }[] };
  soundId = list.results[0]?.id ?? '';
});

afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  const running: readonly (EdgeRuntime | Site | undefined)[] = [...Object.values(edges), node, api];
  await Promise.all(running.map((each) => each?.stop()));
  gateServer?.closeAllConnections();
  gateServer?.close();
});

async function openGate(): Promise<void> {
  const server = createServer((request, response) => {
    gate.hosts.add(request.headers.host ?? '');
    if (gate.isDown) {
      request.destroy();
      return;
    }
    const { method, headers } = request;
    const passed = sendRequest(gate.apiUrl + request.url, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  gateServer = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gate.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Of the connection and the moment, and the id of the request. */
const OWN = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id']);

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

async function ask(fetchPath: Fetch, path: string, init: RequestInit = {}) {
  const headers = { 'accept-encoding': 'identity', ...init.headers };
  const reply = await fetchPath(path, { ...init, headers, redirect: 'manual' });
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  const kept = [...reply.headers].filter(([name]) => !OWN.has(name));
  return { status: reply.status, headers: Object.fromEntries(kept), body: await reply.text() };
}

const from =
  (url: string): Fetch =>
  (path, init) =>
    fetch(url + path, init);

/** The entry in this process, called as a function. */
async function importEntry(version = ''): Promise<Entry['default']> {
  return ((await import(/* @vite-ignore */ `${join(EDGE_DIR, 'entry.js')}${version}`)) as Entry).default;
}

async function findFetch(name: string): Promise<Fetch> {
  const edge = edges[name];
  if (edge !== undefined) return from(edge.url);
  const entry = await importEntry();
  return (path, init) => entry.fetch(new Request(siteUrl + path, init), settings);
}

const ADDRESSES = [
  '/',
  '/sounds',
  '/sounds/?utm_source=mail',
  '/sounds?search=%E6%88%A6%E9%97%98&ordering=-created_at',
  '/sounds?page=2',
  '/sounds?page=999',
  '/sounds/{id}',
  '/sounds/missing',
  '/sounds/{id}/report',
  '/sounds/missing/report',
  '/report',
  '/artist/%E9%9F%B3%E3%81%AE%E4%BA%BA',
  '/artist/nobody',
  '/content/missing',
  '/login',
  '/profile',
  '/contact',
  '/robots.txt',
  '/.well-known/security.txt',
  '/.well-known/change-password',
  '/sitemap.xml',
  '/sitemap-pages.xml',
  '/sitemap-1.xml',
  '/sitemap-99999.xml',
  '/manifest.json',
  '/feed',
  '/feed/?search=%E6%88%A6%E9%97%98&page=2',
  '/feed/artist/%E9%9F%B3%E3%81%AE%E4%BA%BA',
  '/feed/artist/nobody',
  '/embed/sounds/{id}',
  '/embed/sounds/missing',
  '/oembed?format=xml&url={site}%2Fsounds%2F{id}',
  '/oembed',
  '/oembed?url=https://other.test/',
  '/oembed?url=x&format=yaml',
  '/nowhere',
  '/500',
  '/unavailable/',
  '/maintenance?x=1',
  '//sounds',
  '/sounds/%2fetc',
  '/api/sounds/',
  '/media/sounds/1/2.mp3',
  '/notice/next',
  '/_astro/missing.js',
  '/healthz',
  '/readyz',
];

describe.each(['workerd', 'Deno', 'Node'])('the edge entry on %s', (name) => {
  it('answers like the Node server, byte for byte, and calls only the API', async () => {
    const edge = await findFetch(name);
    const called = vi.spyOn(globalThis, 'fetch');
    gate.hosts.clear();
    for (const address of ADDRESSES) {
      const path = address.replace('{site}', encodeURIComponent(siteUrl)).replace('{id}', soundId);
      expect(await ask(edge, path), path).toEqual(await ask(from(node.url), path));
    }
    const absent = await ask(edge, '/nowhere');
    for (const path of ['/500', '/unavailable', '/maintenance'])
      expect(await ask(edge, path)).toEqual(absent);
    const page = await ask(edge, '/sounds');
    expect([page.status, page.body.match(/data-sound="/g)?.length]).toEqual([200, 20]);
    const etag = page.headers['etag'] ?? '';
    for (const init of [{ method: 'HEAD' }, { method: 'POST' }, { headers: { 'if-none-match': etag } }]) {
      expect(await ask(edge, '/sounds', init)).toEqual(await ask(from(node.url), '/sounds', init));
    }
    expect([...gate.hosts]).toEqual([new URL(gate.origin).host]);
    const known = new Set([gate.origin, node.url, edges[name]?.url]);
    const others = called.mock.calls.filter(([url]) => !known.has(new URL(String(url)).origin));
    expect(others).toEqual([]);
    expect(edges[name]?.log ?? []).toEqual([]);
  });

  it('answers 503 while the API does not answer, and recovers', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(console, 'warn').mockReturnValue();
    const edge = await findFetch(name);
    for (const each of [edge, from(node.url)]) expect((await ask(each, '/')).status).toBe(200);
    gate.isDown = true;
    try {
      const page = await ask(edge, '/sounds?page=2');
      expect(page).toEqual(await ask(from(node.url), '/sounds?page=2'));
      expect(page).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store' } });
      expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      gate.isDown = false;
    }
    expect((await ask(edge, '/sounds?page=2')).status).toBe(200);
  });
});

it('without its settings, the edge entry answers 500 and logs each problem', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const entry = await importEntry('?unset');
  const reply = await entry.fetch(new Request('http://site.test/'), { API_ORIGIN: 'api.test' });
  expect([reply.status, reply.headers.get('x-content-type-options')]).toEqual([500, 'nosniff']);
  expect(await reply.json()).toEqual({
    detail: 'サーバーでエラーが発生しました。時間をおいてもう一度お試しください。',
    request_id: reply.headers.get('x-request-id'),
  });
  expect(String(log.mock.calls[0]?.[1])).toMatch(
    /SITE_URL is required[^]*API_ORIGIN is "api.test", but must be/,
  );
});

it('on workerd a visitor searches, plays a sound and opens its page', async () => {
  const page = await open('/sounds');
  await page.getByRole('searchbox').fill('戦闘');
  await expect
    .poll(() => page.locator('[data-sound] [data-title]').allInnerTexts())
    .toContain('最新の戦闘音');
  await page.locator('[data-play]').first().click();
  const player = page.getByRole('region', { name: 'プレーヤー' });
  await player.getByRole('button', { name: '一時停止' }).waitFor();
  await page.getByRole('link', { name: '最新の戦闘音', exact: true }).first().click();
  await page.waitForURL('**/sounds/*');
  expect(await page.locator('h1').innerText()).toBe('最新の戦闘音');
  expect(await player.getByRole('button', { name: '一時停止' }).isVisible()).toBe(true);
});
