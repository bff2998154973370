import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillLogin } from '../support/members.ts';
import { GPT_SETTINGS } from '../support/gpt.ts';
import {
  isSameDocument,
  markDocument,
  useBrowser,
  visit,
  waitForAnswers,
  waitForHydration,
} from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const site = useSite(GPT_SETTINGS);
const withNetwork = useBrowser(() => site.url);
const withoutNetwork = useBrowser();

const ARTIST = `/artist/${encodeURIComponent('音の人')}`;

/** Reports whether an external script and an injected inline script run. */
async function tryScripts(path: string) {
  const page = await withNetwork.newPage({ allow: /violates the following/ });
  await page.route('https://network.test/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'window.isNetworkHere = true' }),
  );
  await visit(page, path);
  return page.evaluate(async () => {
    const run = (fill: (script: HTMLScriptElement) => void) =>
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.addEventListener('load', resolve);
        script.addEventListener('error', resolve);
        fill(script);
        document.head.append(script);
        setTimeout(resolve, 1_000);
      });
    await run((script) => (script.src = 'https://network.test/tag.js'));
    await run((script) => (script.textContent = 'window.isSmuggledHere = true'));
    const button = document.body.appendChild(document.createElement('div'));
    button.innerHTML = '<button onclick="window.isSmuggledHere = true"></button>';
    button.querySelector('button')?.click();
    return [Reflect.has(window, 'isNetworkHere'), Reflect.has(window, 'isSmuggledHere')];
  });
}

describe('a browser', () => {
  it.each(['/sounds', ARTIST])(
    'runs a network’s script on %s, and no injected inline script',
    async (path) => {
      expect(await tryScripts(path)).toEqual([true, false]);
    },
  );

  it.each(['/login', '/contact'])('runs neither on %s', async (path) => {
    expect(await tryScripts(path)).toEqual([false, false]);
  });
});

describe('what is sent to third parties', () => {
  it('is derived from the settings, and linked from the privacy policy', async () => {
    const page = await withNetwork.open('/privacy-policy');
    await page.getByRole('link', { name: '外部送信について' }).click();
    await page.getByRole('heading', { level: 1, name: '外部送信について' }).waitFor();
    expect(await page.locator('article').innerText()).toContain('Google LLC');
    const plain = await withoutNetwork.open('/legal/external-transmission');
    const text = await plain.locator('article').innerText();
    expect(text).toContain('現在、第三者へ送信される情報はありません。');
    expect(text).not.toContain('Google');
    expect(await (await fetch(`${site.url}/sitemap-pages.xml`)).text()).toContain(
      '/legal/external-transmission',
    );
  });
});

async function follow(page: Page, href: string): Promise<boolean> {
  await markDocument(page);
  await page.locator(`a[href="${href}"]`).first().click();
  await page.waitForURL((url) => url.pathname === href);
  await waitForHydration(page);
  await waitForAnswers(page);
  return isSameDocument(page);
}

describe('navigation between pages', () => {
  it('is a full load wherever either page allows an ad network, in both directions and on Back', async () => {
    const page = await withNetwork.open('/sounds');
    expect(await follow(page, '/')).toBe(true);
    expect(await follow(page, '/member-terms')).toBe(false);
    expect(await follow(page, '/privacy-policy')).toBe(true);
    expect(await follow(page, '/sounds')).toBe(false);
    await page.goBack();
    await page.waitForURL('**/privacy-policy');
    await markDocument(page);
    await page.goForward();
    await page.waitForURL('**/sounds');
    expect(await isSameDocument(page)).toBe(false);
  });

  it('through log-in replaces the document, and returns to the pressed heart', async () => {
    const page = await withNetwork.open('/sounds', { height: 500 });
    const heart = page.getByRole('button', { name: /^お気に入り：/ }).nth(16);
    // The driver of Firefox scrolls what it points at to the middle, so the position is known from here on.
    await heart.hover();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(200);
    await heart.click();
    await page.waitForURL(/\/login\?redirect=/);
    await markDocument(page);
    await fillLogin(page, { email: 'member@example.test', password: 'member password' });
    await page.waitForURL((url) => url.pathname === '/sounds');
    await waitForAnswers(page);
    expect(await isSameDocument(page)).toBe(false);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
    await page.goBack();
    await page.waitForURL('**/sounds');
    await page
      .getByRole('button', { name: /^お気に入り：/ })
      .first()
      .waitFor();
  });
});
