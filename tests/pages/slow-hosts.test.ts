import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EDGE_DIR } from '../browser/support/edge-runtimes.ts';
import { FOREIGN_REPLIES } from '../browser/support/foreign-replies.ts';
import { type Site, startSite } from '../browser/support/sites.ts';

/** More than half of the time that a page has for all its calls: two of them, one after the other, are too many. */
const DELAY_MS = 3000;
const PATHS = [
  '/',
  '/sounds',
  '/sounds?page=1&to=3',
  '/sounds?search=tone',
  '/artist/somebody',
  '/artist/somebody?type=1',
  '/login',
  '/register',
  '/profile',
  '/content/guide',
  '/member-terms',
  '/sitemap.xml',
  '/sitemap-pages.xml',
];

const host = createServer((request, response) => {
  const reply = FOREIGN_REPLIES[new URL(request.url ?? '/', 'http://host').pathname];
  setTimeout(() => {
    response.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply ?? { detail: 'Not found.' }));
  }, DELAY_MS);
});
let apiOrigin: string;
let node: Site;

beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  apiOrigin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  node = await startSite({ API_ORIGIN: apiOrigin });
});
afterAll(async () => {
  await node.stop();
  host.closeAllConnections();
  host.close();
});

interface Entry {
  readonly default: { fetch(request: Request, bindings: object): Promise<Response> };
}

describe('a host that needs three seconds for each call', () => {
  it.each([
    ['the Node server', () => (path: string) => fetch(node.url + path)],
    [
      'the edge entry',
      async () => {
        // Another test file may have imported the entry, which keeps its first settings.
        const path = join(EDGE_DIR, 'entry.js?slow-hosts');
        const entry = ((await import(/* @vite-ignore */ path)) as Entry).default;
        const settings = { SITE_URL: 'http://site.test', API_ORIGIN: apiOrigin };
        return (path: string) => entry.fetch(new Request(settings.SITE_URL + path), settings);
      },
    ],
  ])('has all its pages in %s, also the first ones', async (_, open) => {
    const fetchPage = await open();
    const statuses = await Promise.all(PATHS.map(async (path) => [path, (await fetchPage(path)).status]));
    expect(statuses).toEqual(PATHS.map((path) => [path, 200]));
  });
});
