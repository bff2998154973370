import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { NO_COPYING, useBrowser } from '../support/pages.ts';

const { open, newPage } = useBrowser();
const TITLE = '最新の戦闘音';
const BYTES_MAX = 15_000;

let foreign: Server;
let foreignUrl: string;
/** The page that the foreign site shows. */
let foreignHtml = '';
let soundId: string;

beforeAll(async () => {
  foreign = createServer((_, reply) => {
    reply.setHeader('content-type', 'text/html; charset=utf-8');
    reply.end(
      `<!doctype html><html lang="ja"><title>よそのサイト</title><link rel="icon" href="data:,">${foreignHtml}`,
    );
  });
  await once(foreign.listen(0, '127.0.0.1'), 'listening');
  // Another host name than that of the site, which is an address.
  foreignUrl = `http://localhost:${(foreign.address() as AddressInfo).port}`;
  const list = (await (
    await fetch(`${inject('siteUrl')}/api/sounds/?search=${encodeURIComponent(TITLE)}`)
  ).json()) as { results: { id: string }[] };
  soundId = list.results[0]?.id ?? '';
});
afterAll(() => void foreign.close());

const toEmbed = () => `${inject('siteUrl')}/embed/sounds/${soundId}`;
const toSound = () => `${inject('siteUrl')}/sounds/${soundId}`;
const askOembed = (query: Record<string, string>) =>
  fetch(`${inject('siteUrl')}/oembed?${new URLSearchParams(query).toString()}`);

async function openForeign(html: string, allow?: RegExp): Promise<Page> {
  foreignHtml = html;
  const page = await newPage(allow ? { allow } : {});
  await page.goto(foreignUrl);
  return page;
}

describe('the player in a frame of another site', () => {
  it('plays, shows and changes the position by keyboard, and pauses', async () => {
    const { html } = (await (await askOembed({ url: toSound() })).json()) as { html: string };
    const page = await openForeign(html);
    const frame = page.frameLocator('iframe');
    const position = frame.getByRole('slider', { name: '再生位置' });
    await frame.getByRole('button', { name: '再生' }).focus();
    await page.keyboard.press('Enter');
    await frame.getByRole('button', { name: '一時停止' }).waitFor();
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(0);
    await page.keyboard.press('Space');
    await frame.getByRole('button', { name: '再生' }).waitFor();
    await position.press('Home');
    await expect.poll(() => position.inputValue()).toBe('0');
    await position.press('End');
    const played = () =>
      frame.locator('.controls').evaluate((each) => each.style.getPropertyValue('--played'));
    await expect.poll(async () => Number(await played())).toBeGreaterThan(0.8);
    const popup = page.waitForEvent('popup');
    await frame.getByRole('link', { name: TITLE }).click();
    expect((await popup).url()).toBe(toSound());
  });

  it('leaves no cookie and no storage behind, and asks for nothing but its files', async () => {
    const page = await openForeign('');
    const asked: string[] = [];
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === inject('siteUrl')) asked.push(pathname.split('/').slice(0, 3).join('/'));
    });
    foreignHtml = `<iframe src="${toEmbed()}"></iframe>`;
    await page.reload();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: '再生' }).click();
    await frame.getByRole('button', { name: '一時停止' }).waitFor();
    expect(new Set(asked)).toEqual(new Set(['/embed/sounds', '/media/pictures', '/media/sounds']));
    const left = await page
      .frames()[1]
      ?.evaluate(async () => [
        document.cookie,
        localStorage.length,
        sessionStorage.length,
        (await indexedDB.databases()).length,
      ]);
    expect(left).toEqual(['', 0, 0, 0]);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('pauses when another player on the page starts', async () => {
    const page = await openForeign(
      `<iframe src="${toEmbed()}"></iframe><iframe src="${toEmbed()}"></iframe>`,
    );
    const [first, second] = [0, 1].map((index) => page.frameLocator('iframe').nth(index));
    await first!.getByRole('button', { name: '再生' }).click();
    await first!.getByRole('button', { name: '一時停止' }).waitFor();
    await second!.getByRole('button', { name: '再生' }).click();
    await second!.getByRole('button', { name: '一時停止' }).waitFor();
    await first!.getByRole('button', { name: '再生' }).waitFor();
    await first!.getByRole('button', { name: '再生' }).click();
    await second!.getByRole('button', { name: '再生' }).waitFor();
    await first!.getByRole('button', { name: '一時停止' }).waitFor();
  });

  it('is the only page that can be there', async () => {
    const paths = [
      '/',
      `/sounds/${soundId}`,
      '/login',
      '/feed',
      '/oembed',
      '/api/docs',
      '/embed/artist/x',
      '/sounds',
    ];
    for (const path of paths) {
      const { headers } = await fetch(inject('siteUrl') + path);
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
    }
    const page = await openForeign(
      `<iframe src="${inject('siteUrl')}/sounds"></iframe>`,
      /Refused|refused|violates|Framing|status of/,
    );
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^(chrome-error:|about:neterror\?e=cspBlocked)/);
  });

  it('has a policy that names everything it loads, and sets no cookie', async () => {
    const { headers } = await fetch(toEmbed());
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors \*; connect-src 'self'$/,
    );
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('says so when the sound is not public', async () => {
    const reply = await fetch(`${inject('siteUrl')}/embed/sounds/missing`);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain('このサウンドは公開されていません。');
  });

  it('has no picture when its picture does not load', async () => {
    const page = await newPage({ allow: /ERR_FAILED/ });
    await page.route('**/media/pictures/**', (route) => route.abort());
    await page.goto(toEmbed());
    await expect.poll(() => page.locator('img').count()).toBe(0);
  });

  it('reports a file that cannot be played', async () => {
    const page = await newPage({ allow: /ERR_FAILED|404/ });
    await page.route('**/media/sounds/**', (route) => route.abort());
    await page.goto(toEmbed());
    await page.getByRole('button', { name: '再生' }).click();
    await page.getByText('再生できませんでした').waitFor();
  });
});

describe('the player', () => {
  it('is below 15 KB with script and style, and loads nothing but the picture before play', async () => {
    const page = await newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.resourceType()));
    await page.goto(toEmbed(), { waitUntil: 'networkidle' });
    expect(asked.filter((type) => type !== 'image')).toEqual(['document']);
    const bytes = (await (await fetch(toEmbed())).arrayBuffer()).byteLength;
    expect(bytes).toBeGreaterThan(3000);
    expect(bytes).toBeLessThan(BYTES_MAX);
  });

  it('is a link and the browser’s own player without JavaScript', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(toEmbed());
    expect(await page.locator('audio').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: '再生' }).isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: TITLE }).getAttribute('href')).toBe(toSound());
  });

  it('has no fault that axe finds, and fits into narrow and low frames', async () => {
    const page = await newPage({ height: 132 });
    await page.goto(toEmbed());
    await expectAccessible(page, ':root', [240, 320, 480]);
    for (const height of [132, 80]) {
      await page.setViewportSize({ width: 240, height });
      const { scrollHeight } = await page.evaluate(() => ({
        scrollHeight: document.documentElement.scrollHeight,
      }));
      expect(scrollHeight).toBe(height);
    }
  });
});

describe('the page of a sound', () => {
  it('has one length, which the card, the player and the frame show too', async () => {
    // In quotes: with another sound in the list, the player would go on to it after less than a second.
    const page = await open(`/sounds?search=${encodeURIComponent('"決定音 33"')}`);
    const length = await page.locator('[data-sound] .card-wave .tabular').first().innerText();
    expect(length).toMatch(/^0\.\d秒$/);
    await page.locator('[data-play]').first().click();
    const bar = page.getByRole('region', { name: 'プレーヤー' });
    await expect.poll(() => bar.locator('.tabular').last().innerText()).toBe(length);
    await page.locator('[data-title]').first().click();
    await page.locator('[data-island=clock]', { hasText: `/ ${length}` }).waitFor();
    expect(await page.locator('dd').first().innerText()).toBe(length);
    const frame = await newPage();
    await frame.goto(page.url().replace('/sounds/', '/embed/sounds/'));
    await frame.getByText(`0.0秒 / ${length}`).waitFor();
    await frame.getByRole('button', { name: '再生' }).click();
    await frame.getByText(new RegExp(`^0\\.[1-9]秒 / ${length}$`)).waitFor();
  });

  it('offers the code without JavaScript, and names its player and its oEmbed replies', async () => {
    const page = await open(`/sounds/${soundId}`, { javaScriptEnabled: false });
    await page.getByText('埋め込みコード').first().click();
    const code = await page.getByRole('textbox', { name: '埋め込みコード' }).inputValue();
    const json = await page.locator('link[type="application/json+oembed"]').getAttribute('href');
    const reply = (await (await fetch(json ?? '')).json()) as { html: string };
    expect(reply.html).toBe(code);
    expect(code).toContain(`src="${toEmbed()}"`);
    const xml = await page.locator('link[type="text/xml+oembed"]').getAttribute('href');
    expect((await fetch(xml ?? '')).headers.get('content-type')).toBe('text/xml; charset=utf-8');
    expect(await page.locator('meta[name="twitter:player"]').getAttribute('content')).toBe(toEmbed());
    expect(await page.locator('meta[name="twitter:card"]').getAttribute('content')).toBe('player');
  });

  it('copies the code at the first press', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await open(`/sounds/${soundId}`, { permissions });
    await page.locator('summary', { hasText: '埋め込みコード' }).press('Enter');
    await page.getByRole('button', { name: 'コードをコピー' }).press('Enter');
    await page.getByText('埋め込みコードをコピーしました').waitFor();
    const code = await page.getByRole('textbox', { name: '埋め込みコード' }).inputValue();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    expect(code).toContain(toEmbed());
  });

  it.each(NO_COPYING)('selects the code if the browser %s', async (_, prepare) => {
    const page = await newPage();
    await page.addInitScript(prepare);
    await page.goto(`/sounds/${soundId}`);
    await page.getByText('埋め込みコード').first().click();
    await page.getByRole('button', { name: 'コードをコピー' }).click();
    await page.getByText('コピーできませんでした。選択された文字をコピーしてください。').waitFor();
    const field = page.getByRole('textbox', { name: '埋め込みコード' });
    const selected = await field.evaluate((element: HTMLTextAreaElement) => [
      element.value.slice(element.selectionStart, element.selectionEnd),
      document.activeElement === element,
    ]);
    expect(selected).toEqual([await field.inputValue(), true]);
  });

  it('has no fault that axe finds with the code shown', async () => {
    const page = await open(`/sounds/${soundId}`);
    await page.locator('summary', { hasText: '埋め込みコード' }).press('Enter');
    await page.getByRole('textbox', { name: '埋め込みコード' }).waitFor();
    await expectAccessible(page);
  });
});
