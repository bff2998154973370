import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  holdRequests,
  isSameDocument,
  markDocument,
  openWithoutScripts,
  useBrowser,
  visit,
  waitForAnswers,
  waitForHydration,
} from '../support/pages.ts';

const { open, newPage } = useBrowser();

describe('before the scripts of a page have arrived', () => {
  it('a press on a button of the footer counts', async () => {
    const page = await newPage();
    const release = await openWithoutScripts(page, '/member-terms');
    await page.getByRole('button', { name: 'キーボード操作' }).click();
    release();
    await page.locator('dialog:modal').waitFor();
  });

  it('Back shows the page of the address', async () => {
    const page = await open('/member-terms');
    await page.getByRole('link', { name: 'プライバシーポリシー' }).click();
    await page.waitForURL('**/privacy-policy');
    const release = await holdRequests(page, '**/_astro/*.js');
    await page.reload({ waitUntil: 'domcontentloaded' });
    await page.goBack({ waitUntil: 'domcontentloaded' });
    await page.getByRole('heading', { level: 1, name: '会員規約' }).waitFor();
    release();
  });
});

describe('a script of a page that does not load', () => {
  const notice = (page: Page) => page.locator('#offline').isVisible();
  const heart = (page: Page) => page.locator('.favorite').first();

  it.each(['shell', 'catalogue', ''])('is told, and a press loads the page again (%s*.js)', async (name) => {
    const page = await newPage({ allow: /ERR_FAILED/ });
    const files = `**/_astro/${name}*.js`;
    await page.route(files, (route) => route.abort());
    await page.goto('/sounds');
    await expect.poll(() => notice(page)).toBe(true);
    // The page is loaded again, in vain.
    await Promise.all([page.waitForEvent('load'), heart(page).click()]);
    await expect.poll(() => notice(page)).toBe(true);
    await page.unroute(files);
    await Promise.all([page.waitForEvent('load'), heart(page).click()]);
    await waitForHydration(page);
    expect(await notice(page)).toBe(false);
    await heart(page).click();
    await page.waitForURL('**/login?*');
  });

  it('is asked for again when the connection is back', async () => {
    const page = await newPage({ allow: /ERR_FAILED|ERR_INTERNET_DISCONNECTED/ });
    await page.route('**/_astro/*.js', (route) => route.abort());
    await page.goto('/sounds');
    await expect.poll(() => notice(page)).toBe(true);
    await page.context().setOffline(true);
    await page.unroute('**/_astro/*.js');
    // Without a connection, the page stays.
    await page.evaluate(() => fetch('/').catch(() => {}));
    expect(await notice(page)).toBe(true);
    const loaded = page.waitForEvent('load');
    await page.context().setOffline(false);
    await loaded;
    await waitForHydration(page);
    expect(await notice(page)).toBe(false);
  });
});

describe('the router', () => {
  /** The script of the router, and what the page has asked for. */
  async function openWatched(path: string) {
    const page = await newPage({ allow: /Failed to load resource/ });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await visit(page, path);
    await waitForAnswers(page);
    const src = await page.evaluate(
      () => document.querySelector<HTMLScriptElement>('script[type=router]')?.src ?? '',
    );
    return { page, src, asked };
  }
  const terms = (page: Page) => page.getByRole('link', { name: 'プライバシーポリシー' });

  it('loads with the first focus on a link, and a press before that replaces the page as well', async () => {
    const { page, src, asked } = await openWatched('/member-terms');
    expect(src).toMatch(/_astro/);
    expect(asked).not.toContain(src);
    const release = await holdRequests(page, src);
    await markDocument(page);
    await terms(page).focus();
    await expect.poll(() => asked).toContain(src);
    await page.keyboard.press('Enter');
    expect(page.url()).toMatch(/member-terms$/);
    release();
    await page.waitForURL('**/privacy-policy');
    expect(await isSameDocument(page)).toBe(true);
  });

  it('loads when a page is visited again that it has been on', async () => {
    const { page, src, asked } = await openWatched('/member-terms');
    await terms(page).click();
    await page.waitForURL('**/privacy-policy');
    asked.length = 0;
    await page.reload();
    await expect.poll(() => asked).toContain(src);
  });

  it('is replaced by whole pages where it cannot be loaded', async () => {
    const { page, src } = await openWatched('/member-terms');
    await page.route(src, (route) => route.fulfill({ status: 404 }));
    await markDocument(page);
    await terms(page).click();
    await page.waitForURL('**/privacy-policy');
    expect(await isSameDocument(page)).toBe(false);
  });
});
