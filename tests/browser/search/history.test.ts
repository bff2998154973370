import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectFocus } from '../support/focus.ts';
import { useBrowser } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';

const { open } = useBrowser(useOwnSite({ MORE_SOUNDS: '107' }));

const titles = (page: Page) => page.locator('[data-sound] [data-title]').allInnerTexts();
const count = (page: Page) => page.locator('[data-sound]').count();
const box = (page: Page) => page.locator('#search');
const searched = (page: Page) => new URL(page.url()).searchParams.get('search');
const place = (page: Page) => page.evaluate(() => scrollY);

/** Waits until the address, the results and the search box are those of this search. */
async function expectSearch(page: Page, text: string | null): Promise<void> {
  await expect.poll(() => searched(page)).toBe(text);
  await expect
    .poll(() => page.getByRole('status').first().innerText())
    .toContain(text === null ? '153件' : `「${text}」の検索結果`);
  await expect.poll(() => box(page).inputValue()).toBe(text ?? '');
}

describe('Back on /sounds', () => {
  it('steps back through searches, with their results, position and the text of the box', async () => {
    const page = await open('/sounds?to=2');
    const before = await titles(page);
    await page.evaluate(() => scrollTo(0, 900));
    await expect.poll(() => page.evaluate(() => (history.state as { scrollY: number }).scrollY)).toBe(900);
    await page.keyboard.press('/');
    await page.keyboard.type('決定音');
    await page.keyboard.press('Enter');
    await expectSearch(page, '決定音');
    const first = await titles(page);
    await box(page).fill('雨');
    await expectSearch(page, '雨');
    await page.goBack();
    await expectSearch(page, '決定音');
    await expect.poll(() => titles(page)).toEqual(first);
    await page.goBack();
    await expectSearch(page, null);
    await expect.poll(() => titles(page)).toEqual(before);
    expect(page.url()).toMatch(/\/sounds\?to=2$/);
    await expect.poll(async () => Math.abs((await place(page)) - 900)).toBeLessThan(4);
    await page.goForward();
    await expectSearch(page, '決定音');
    await page.goForward();
    await expectSearch(page, '雨');
  });

  it('follows what is typed after Enter, though the search had not loaded by then', async () => {
    const page = await open('/sounds');
    const loads = Promise.withResolvers<void>();
    await page.route(/_astro\/(listing|SearchBox)\./, async (route) => {
      await loads.promise;
      await route.continue();
    });
    await box(page).fill('決定音');
    await page.keyboard.press('Enter');
    await expectSearch(page, '決定音');
    await box(page).fill('雨');
    loads.resolve();
    await expectSearch(page, '雨');
  });

  it('restores the position when Enter is pressed before the search has loaded', async () => {
    const page = await open('/sounds');
    await page.route(/_astro\/(listing|SearchBox)\./, async (route) => {
      await setTimeout(1000);
      await route.continue();
    });
    await page.evaluate(() => scrollTo(0, 900));
    await expect.poll(() => page.evaluate(() => (history.state as { scrollY: number }).scrollY)).toBe(900);
    await page.keyboard.press('/');
    await page.keyboard.type('雨');
    await page.keyboard.press('Enter');
    await expectSearch(page, '雨');
    await page.goBack();
    await expectSearch(page, null);
    await expect.poll(async () => Math.abs((await place(page)) - 900)).toBeLessThan(4);
  });
});

describe('the end of what one page shows', () => {
  it('leads to the next page, and keeps focus across the navigation', async () => {
    const page = await open('/sounds?to=4');
    const more = page.getByRole('link', { name: 'もっと見る' });
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => count(page)).toBe(100);
    expect((await titles(page)).at(-1)).toBe('追加の曲 7');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('つづきは6ページへ');
    expect(await page.getByText('1ページに表示できるのはここまでです。').isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sounds\?page=6$/);
    await expect.poll(() => count(page)).toBe(20);
    expect((await titles(page))[0]).toBe('追加の曲 6');
  });

  it('is preceded by an announcement of the number of shown sounds', async () => {
    const page = await open('/sounds');
    await page.getByRole('link', { name: 'もっと見る' }).click();
    const told = page.getByRole('status').filter({ hasText: '40件を表示しています' });
    await expect.poll(() => told.count()).toBe(1);
  });

  it('leads to the next page without script', async () => {
    const page = await open('/sounds?to=5', { javaScriptEnabled: false });
    expect(await count(page)).toBe(100);
    await page.getByRole('link', { name: 'つづきは6ページへ' }).click();
    await page.waitForURL(/\/sounds\?page=6$/);
    expect(await count(page)).toBe(20);
  });

  it('is shown at the last sound, and the focus of the last press stays there', async () => {
    const page = await open('/sounds?page=7');
    await page.getByRole('link', { name: 'もっと見る' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => count(page)).toBe(33);
    await expectFocus(page, 'サウンドはここまでです。');
  });
});

describe('the link that skips the filters', () => {
  it('moves the focus to the results, also after a search, at any width', async () => {
    const page = await open('/');
    await page.getByRole('navigation', { name: 'メニュー' }).getByRole('link', { name: 'サウンド' }).click();
    await page.waitForURL(/\/sounds$/);
    await box(page).fill('決定音');
    await expectSearch(page, '決定音');
    await page.evaluate(() => Reflect.set(window, 'sameDocument', document.querySelector('main')));
    const skip = page.getByRole('link', { name: '検索結果へスキップ' });
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await skip.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('results');
      expect(
        await page.evaluate(() => Reflect.get(window, 'sameDocument') === document.querySelector('main')),
      ).toBe(true);
      const top = await page.evaluate(() => document.activeElement!.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(-1);
      expect(top).toBeLessThan(450);
    }
    await page.keyboard.press('Tab');
    await expectFocus(page, '関連度順');
    expect(await titles(page)).not.toHaveLength(0);
  });

  it('is followed by one to the player, which does not scroll the page', async () => {
    const page = await open('/sounds');
    await page.locator('[data-play]').nth(12).click();
    await page.locator('#player').waitFor();
    const before = await place(page);
    expect(before).toBeGreaterThan(100);
    await page.getByRole('link', { name: 'プレーヤーへスキップ' }).evaluate((link: HTMLElement) => {
      link.focus({ preventScroll: true });
      link.click();
    });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('player');
    expect(await place(page)).toBe(before);
  });

  it('works without script', async () => {
    const page = await open('/sounds', { javaScriptEnabled: false });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#results$/);
    await page.keyboard.press('Tab');
    await expectFocus(page, '新着順');
  });
});
