import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/foreign-sites.ts';
import { agree, closeAlert, pressDownload, putNotices, recordVideo } from '../support/notices.ts';
import { useBrowser, waitForAnswers } from '../support/pages.ts';
import { type Site, startSite } from '../support/sites.ts';

let site: Site;
const cleanUps: (() => Promise<unknown>)[] = [];

// Hooks run in reverse order: pages close before their servers.
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});
const { open, getBrowser } = useBrowser(() => site.url);

async function start(env: Record<string, string>): Promise<Site> {
  const started = await startSite(env);
  cleanUps.push(() => started.stop());
  return started;
}

/** A host that answers as the test defines. */
async function serve(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('with the API on another host', () => {
  it('renders, searches, plays and downloads from it, and serves no API of its own', async () => {
    const port = String(await findFreePort());
    const web = `http://127.0.0.1:${port}`;
    const api = await start({ WEB_ORIGIN: web });
    site = await start({ API_ORIGIN: api.url, PORT: port });
    const page = await open('/sounds');
    expect(await page.locator('[data-sound]').count()).toBe(20);
    await page.getByRole('searchbox').fill('戦闘');
    await expect
      .poll(() => page.locator('[data-sound] [data-title]').allInnerTexts())
      .toContain('最新の戦闘音');
    await page.locator('[data-play]').first().click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('player:queue'))).toContain(api.url);
    await page
      .getByRole('region', { name: 'プレーヤー' })
      .getByRole('button', { name: /再生|一時停止/ })
      .waitFor();
    const captions = 'WEBVTT\n\n00:00.000 --> 00:10.000\n春の市がひらかれます。\n';
    await putNotices(api, [{ video: await recordVideo(getBrowser()), captions }]);
    const arrival = page.waitForEvent('download');
    const reported = page.waitForResponse(/\/watching$/);
    await pressDownload(page, '最新の戦闘音');
    await agree(page);
    expect((await reported).status()).toBe(200);
    const video = page.locator('dialog.notice-overlay video');
    expect(await video.getAttribute('src')).toMatch(`${api.url}/notice/`);
    const countCues = (element: HTMLVideoElement) => element.textTracks[0]?.cues?.length;
    await expect.poll(() => video.evaluate(countCues)).toBe(1);
    expect((await arrival).suggestedFilename()).toBe('最新の戦闘音 - 音の人.mp3');
    for (const path of ['/api/sounds/', '/notice/next']) {
      expect((await page.request.get(path)).status()).toBe(404);
    }
  });

  it('offers to open a file that the page may neither play nor read', async () => {
    const asked: string[] = [];
    const files = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-disposition': 'attachment' });
      response.end('sound');
    });
    const url = `${files}/rain.mp3`;
    const web = `http://127.0.0.1:${await findFreePort()}`;
    const host = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://host');
      const sound = { id: 1, title: 'Rain', artist_name: 'A', file_url: url };
      const reply: Record<string, unknown> = {
        '/api/site-config': {},
        '/api/sounds/': { results: [sound], next: null },
        '/api/sounds/1/download': { url },
      };
      response.writeHead(200, {
        'content-type': 'application/json',
        'access-control-allow-origin': web,
        'access-control-allow-credentials': 'true',
      });
      response.end(JSON.stringify(reply[pathname] ?? []));
    });
    site = await start({ API_ORIGIN: host, PORT: new URL(web).port, AD_PROVIDERS: 'none' });
    const page = await open('/sounds', { allow: /Content Security Policy|Failed to fetch|violates/ });
    await page.locator('[data-play]').click();
    await page.locator('[data-sound]').getByText('ダウンロードしてお聴きください').waitFor();
    await pressDownload(page, 'Rain');
    await closeAlert(page);
    const question = page.getByRole('alertdialog', { name: 'このページからは保存できません' });
    await question.getByText('新しいタブで開いて').waitFor();
    expect(asked).toEqual([]);
    const opened = page.context().waitForEvent('page');
    await question.getByRole('button', { name: '新しいタブで開く' }).click();
    await opened;
    await expect.poll(() => asked).toEqual(['/rain.mp3']);
  });

  it('shows status 503 with a retry when the host is down, and still renders the shell', async () => {
    site = await start({ API_ORIGIN: `http://127.0.0.1:${await findFreePort()}` });
    const page = await open('/sounds', { allow: /503/ });
    const reply = await page.request.get('/sounds');
    expect(reply.status()).toBe(503);
    expect(Number(reply.headers()['retry-after'])).toBeGreaterThan(0);
    expect(await page.locator('h1').innerText()).toBe('ただいま接続できません');
    expect(await page.locator('footer').innerText()).toContain('version1.3');
    expect(await page.getByRole('link', { name: 'ログイン' }).isVisible()).toBe(true);
  });

  it('waits only a few seconds for a host that hangs', async () => {
    const host = await serve(() => {});
    site = await start({ API_ORIGIN: host });
    const began = performance.now();
    const page = await open('/', { allow: /503/ });
    expect(await page.locator('h1').innerText()).toBe('ただいま接続できません');
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('shows the error box with its toggle and the request id, without a stack, when a page fails', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(418, { 'content-type': 'application/json' });
      response.end('{"detail":"secret of the host"}');
    });
    site = await start({ API_ORIGIN: host });
    const page = await open('/sounds', { allow: /500/ });
    const reply = await page.request.get('/sounds');
    expect(reply.status()).toBe(500);
    expect(await page.locator('h1').innerText()).toBe('Something went wrong!');
    const detail = page.getByText(/受付番号/);
    expect(await detail.isVisible()).toBe(false);
    await page.getByText('Show Error').click();
    expect(await detail.innerText()).toMatch(/受付番号: \S{4,}/);
    await page.getByText('Hide Error').click();
    expect(await detail.isVisible()).toBe(false);
    expect(await page.content()).not.toMatch(/secret of the host|\.mjs|at async/);
    expect(await page.locator('footer').innerText()).toContain('version1.3');
  });

  describe('with intermittent failures', () => {
    /** A host of spec §7 that can fail, enter maintenance and close registration. */
    async function startMoodyHost() {
      const state = {
        fail: (_call: string) => false as boolean | number,
        config: { maintenance_mode: false, allow_register: true },
      };
      const replies: Record<string, () => unknown> = {
        '/api/site-config': () => state.config,
        '/api/page/': () => [],
        '/api/genres/': () => [],
        '/api/sounds/types/': () => [{ id: 1, name: 'BGM', icon: null }],
        '/api/sounds/': () => ({ results: [{ id: 1, title: 'Rain', artist_name: 'A' }], next: null }),
      };
      const answerTo = (call: string) => {
        const username = /^\/api\/account\/artist\/(.+)\/$/.exec(call)?.[1];
        return username === undefined ? (replies[call]?.() ?? null) : { username };
      };
      const origin = await serve((request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://host');
        const failure = state.fail(pathname);
        if (failure === true) return void request.socket.destroy();
        response.writeHead(failure || 200, { 'content-type': 'application/json' });
        response.end(failure ? '{"detail":"broken"}' : JSON.stringify(answerTo(pathname)));
      });
      site = await start({ API_ORIGIN: origin });
      const get = (path: string) => fetch(site.url + path, { redirect: 'manual' });
      return { state, get };
    }

    it('shows the last good page with a notice, and caches still revalidate it', async () => {
      const { state, get } = await startMoodyHost();
      expect(await (await get('/sounds')).text()).toContain('<p data-outdated hidden');
      state.fail = () => 500;
      await setTimeout(3_100);
      const page = await open('/sounds');
      expect(await page.locator('[data-sound] [data-title]').allInnerTexts()).toEqual(['Rain']);
      const notice = page.locator('[data-outdated]');
      expect(await notice.isVisible()).toBe(true);
      expect(await notice.innerText()).toContain('少し前の内容を表示しています');
      const reply = await get('/sounds');
      expect(reply.status).toBe(200);
      expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
      expect(reply.headers.get('warning')).toMatch(/^111 /);
      expect((await get('/')).status).toBe(503);
      state.fail = () => false;
      await setTimeout(3_100);
      await page.reload();
      expect(await notice.isVisible()).toBe(false);
    });

    it('drops a page at once when its main read is refused, and keeps it while that read fails', async () => {
      const { state, get } = await startMoodyHost();
      const shown = {
        400: 500,
        403: 404,
        404: 404,
        408: 200,
        410: 404,
        429: 200,
        451: 404,
        500: 200,
        503: 200,
      };
      const getAll = async () => {
        const replies = Object.keys(shown).map(async (name) => [name, (await get(`/artist/${name}`)).status]);
        return Object.fromEntries(await Promise.all(replies)) as Record<string, number>;
      };
      const all = (status: number) =>
        Object.fromEntries(Object.keys(shown).map((name) => [name, status] as const));
      expect(await getAll()).toEqual(all(200));
      state.fail = () => true;
      await setTimeout(3_100);
      expect(await getAll()).toEqual(all(200));
      // Each artist is named after the status that answers for them. All other calls still fail.
      state.fail = (call) => Number(/^\/api\/account\/artist\/(\d+)\/$/.exec(call)?.[1] ?? 500);
      await setTimeout(3_100);
      expect(await getAll()).toEqual(shown);
      state.fail = () => true;
      await setTimeout(3_100);
      const isKept = (status: number) => (status === 200 ? 200 : 503);
      expect(await getAll()).toEqual(
        Object.fromEntries(Object.entries(shown).map(([name, status]) => [name, isKept(status)])),
      );
    });

    it('in maintenance shows it within five seconds on pages visited before', async () => {
      const { state, get } = await startMoodyHost();
      for (const path of ['/', '/sounds', '/register']) expect((await get(path)).status).toBe(200);
      state.config = { maintenance_mode: true, allow_register: true };
      const paths = ['/', '/sounds', '/register'];
      const statuses = () => Promise.all(paths.map(async (path) => (await get(path)).status));
      await expect.poll(statuses, { timeout: 5_500 }).toEqual([503, 503, 503]);
      state.config = { maintenance_mode: false, allow_register: false };
      const closed = async () => {
        const { status, headers } = await get('/register');
        return [status, headers.get('location')];
      };
      await expect.poll(closed, { timeout: 5_500 }).toEqual([302, '/login']);
    });

    it('in maintenance shows it within five seconds to a visitor who goes back to a page', async () => {
      const { state, get } = await startMoodyHost();
      const page = await open('/sounds', { allow: /503/ });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await page.getByRole('link', { name: '会員規約' }).click();
      await page.waitForURL('**/member-terms');
      await page.goBack();
      await page.locator('[data-sound]').waitFor();
      await waitForAnswers(page);
      // Once by the router, from the browser's cache, and once past it.
      expect(requests.filter((path) => path === '/sounds')).toHaveLength(2);
      await page.goForward();
      await page.waitForURL('**/member-terms');
      await waitForAnswers(page);
      state.config = { maintenance_mode: true, allow_register: true };
      await expect.poll(async () => (await get('/sounds')).status, { timeout: 5_500 }).toBe(503);
      await page.goBack();
      await page.getByRole('heading', { name: 'サイトを更新しています' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/sounds');
    });

    it('keeps a page of the browser’s cache during an outage', async () => {
      const { state } = await startMoodyHost();
      const page = await open('/sounds', { allow: /503/ });
      await page.getByRole('link', { name: '会員規約' }).click();
      await page.waitForURL('**/member-terms');
      state.fail = () => 503;
      await page.goBack();
      await page.locator('[data-sound]').waitFor();
      await waitForAnswers(page);
      expect(await page.locator('[data-sound] [data-title]').allInnerTexts()).toEqual(['Rain']);
    });
  });
});

describe('in maintenance', () => {
  it.each([
    ['by the build flag', { MAINTENANCE: 'true' }],
    ['by the site config', { MAINTENANCE_MODE: 'true' }],
  ])('shows the message with status 503 instead of the page, %s', async (_, env) => {
    site = await start(env);
    const page = await open('/sounds', { allow: /503/ });
    const reply = await page.request.get('/sounds');
    expect(reply.status()).toBe(503);
    expect(reply.headers()['retry-after']).toBeDefined();
    expect(await page.locator('main').innerText()).toContain('しばらくお待ちください');
    expect(await page.locator('footer').innerText()).toContain('© 2024 Otoichi');
    expect(await page.getByRole('link', { name: 'ログイン' }).isVisible()).toBe(true);
  });
});
