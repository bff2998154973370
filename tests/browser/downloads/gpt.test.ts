import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  FILE_NAME,
  GPT_SETTINGS,
  SOUND,
  agree,
  download,
  expectNothingLeft,
  expectPlaying,
  expectResting,
  expectRewarded,
  openSounds,
  show,
} from '../support/gpt.ts';
import { putNotices } from '../support/notices.ts';
import { holdRequests, useBrowser, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const { site, newPage } = useBrowser(useSite(GPT_SETTINGS));
beforeAll(() => putNotices(site, []));

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/** A page that shows an ad which never ends. */
async function openAd() {
  const opened = await openSounds(newPage, site.url, 'never-ends');
  await download(opened.page);
  await agree(opened.page);
  await show(opened.page);
  await opened.page.locator('#fake-ad').waitFor();
  return opened;
}

// tests/src/ads/gpt.test.ts covers every outcome.
describe('a rewarded ad of Google', () => {
  it('is requested after consent only, and earns the file once; focus returns to the button', async () => {
    const { page, seen } = await openSounds(newPage, site.url, 'granted');
    await download(page);
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    await page.getByRole('button', { name: 'キャンセル' }).click();
    await download(page);
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    await waitForAnswers(page);
    expect(seen).toMatchObject({ tag: 0, foreign: [], completions: [], files: [] });
    expect(await page.evaluate(() => Reflect.has(window, 'googletag'))).toBe(false);

    await agree(page);
    await show(page);
    await expectRewarded(page, seen);
    expect(seen).toMatchObject({ tag: 1, files: [FILE_NAME] });
    await expect.poll(() => focused(page)).toContain(SOUND);
    await expectNothingLeft(page, seen);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press(' ');
    await expectResting(page);
    await page.keyboard.press(' ');
    await expectPlaying(page);
  });

  it('pauses the player, has focus in its frame, and leaves nothing else on the page reachable', async () => {
    const { page, seen } = await openAd();
    await expectResting(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
    for (const place of ['#main', 'header', 'footer', '#player']) {
      const part = page.locator(place).first();
      expect(await part.evaluate((element) => element.closest('[inert]') !== null)).toBe(true);
    }
    // Focus may still return to the page. Its keyboard shortcuts must have no effect then.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const key of ['d', ' ', 'n', '/', '?']) await page.keyboard.press(key);
    await waitForAnswers(page);
    await expectResting(page);
    expect(await page.locator('dialog[open]').count()).toBe(0);
    expect(seen).toMatchObject({ completions: [], files: [], foreign: [] });
  });

  it('asks before the file is lost to a page without ads, and the file arrives for whoever stays', async () => {
    const { page, seen } = await openSounds(newPage, site.url, 'granted');
    const release = await holdRequests(page, '**/media/downloads/**');
    const file = page.waitForRequest('**/media/downloads/**');
    await download(page);
    await agree(page);
    await show(page);
    await file;
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: '会員規約' }).click();
    await expect.poll(() => questions).toEqual(['beforeunload']);
    expect(new URL(page.url()).pathname).toMatch(/^\/artist\//);
    release();
    await expectRewarded(page, seen);
    await page.getByRole('link', { name: '会員規約' }).click();
    await page.waitForURL('**/member-terms');
    expect(questions).toHaveLength(1);
  });

  it('is removed when its page is left', async () => {
    const { page, seen } = await openAd();
    await page.evaluate(() => document.querySelector<HTMLElement>('.navbar-logo')?.click());
    await page.waitForURL((url) => url.pathname === '/');
    await expect.poll(() => page.locator('[inert]').count()).toBe(0);
    expect(await page.evaluate(() => window.gptRecord)).toMatchObject({ listeners: 0, slots: 0 });
    expect(seen).toMatchObject({ completions: [], files: [], foreign: [] });
    expect(await page.locator('dialog[open], #fake-ad').count()).toBe(0);
  });
});
