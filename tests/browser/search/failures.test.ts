import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findFaults } from '../support/axe.ts';
import { answerRequests, holdRequests, useBrowser } from '../support/pages.ts';

const { open } = useBrowser();

const CALLS = /\/fragments\/sounds\?/;
const titles = (page: Page) => page.locator('[data-sound] [data-title]').allInnerTexts();
const refuse = (page: Page, status: number) =>
  answerRequests(page, CALLS, (route) => route.fulfill({ status, body: '' }));

/** Whether an element is entirely inside the viewport. */
const isInView = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluate((element) => element.getBoundingClientRect())
    .then(({ top, bottom }) => top >= 0 && bottom <= page.viewportSize()!.height);

describe('a search that fails at first', () => {
  it('says that it is retrying, keeps the old results readable, and shows the new ones in the end', async () => {
    const page = await open('/sounds', { allow: /503/ });
    const before = await titles(page);
    await refuse(page, 503);
    await page.getByRole('searchbox').fill('戦闘');
    const notice = page.locator('#navigation-notice');
    await notice.getByRole('status').filter({ hasText: 'もう一度試しています' }).waitFor();
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await isInView(page, '#navigation-notice'), `${width} px`).toBe(true);
    }
    expect(await titles(page)).toEqual(before);
    await expect
      .poll(() =>
        page
          .locator('.sound-grid')
          .evaluate((grid) => getComputedStyle(grid.closest('.transition-opacity')!).opacity),
      )
      .toBe('1');
    expect(await findFaults(page, '#results')).toEqual([]);
    // The page retries without a press, too: no answer may remove the button before it is pressed.
    const answer = await holdRequests(page, CALLS);
    await notice.getByRole('button', { name: 'もう一度試す' }).focus();
    await page.keyboard.press('Enter');
    answer();
    await expect.poll(() => titles(page)).toContain('最新の戦闘音');
    expect(await page.locator('#navigation-notice').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('results');
  });
});

describe('a listing in whose place something else arrives, such as the log-in page of a network', () => {
  const LOG_IN = { status: 200, contentType: 'text/html', body: '<!doctype html><h1>Wi-Fi</h1>' };

  it('is reported for a search, next to the old results, and can be tried again', async () => {
    const page = await open('/sounds', { width: 320, height: 568 });
    const before = await titles(page);
    const connect = await answerRequests(page, CALLS, (route) => route.fulfill(LOG_IN));
    await page.getByRole('searchbox').fill('戦闘');
    await page.getByRole('alert').waitFor();
    expect(await isInView(page, '#navigation-notice')).toBe(true);
    expect(await titles(page)).toEqual(before);
    connect();
    await page.getByRole('button', { name: 'もう一度試す' }).click();
    await expect.poll(() => titles(page)).toContain('最新の戦闘音');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('is reported for a filter in the same way', async () => {
    const page = await open('/sounds');
    const connect = await answerRequests(page, CALLS, (route) => route.fulfill(LOG_IN));
    await page.getByRole('navigation', { name: '絞り込み' }).getByRole('link', { name: 'BGM' }).click();
    await page.getByRole('alert').waitFor();
    expect(page.url()).toMatch(/\/sounds$/);
    connect();
    await page.getByRole('button', { name: 'もう一度試す' }).click();
    await page.getByRole('link', { name: 'BGMを外す' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('a search for what nobody has', () => {
  it('shows what a near word finds, says so, and searches for the text as typed on request', async () => {
    const page = await open('/sounds');
    await page.getByRole('searchbox').fill('けっていおむ');
    const note = page.getByRole('note');
    await note.getByText(/「けっていおむ」は見つからないため/).waitFor();
    expect((await titles(page)).length).toBeGreaterThan(0);
    expect(await findFaults(page, '#results')).toEqual([]);
    await note.getByRole('link', { name: '入力した言葉のままで探す' }).click();
    await page.waitForURL((url) => url.searchParams.get('search') === '"けっていおむ"');
    await page.getByText('条件に合うサウンドが見つかりませんでした').waitFor();
    const plain = await open(`/sounds?search=けっていおむ`, { javaScriptEnabled: false });
    expect(await plain.getByRole('note').textContent()).toContain('けっていおむ');
    expect((await titles(plain)).length).toBeGreaterThan(0);
  });

  it('shows words that are taken for facts among the filters, and leaves them out on request', async () => {
    const page = await open('/sounds?search=効果音 10秒');
    await page.getByRole('link', { name: /^10秒：.*を外す$/ }).click();
    await page.waitForURL((url) => url.searchParams.get('search') === '効果音');
  });
});

describe('もっと見る that fails', () => {
  it('shows the error next to the pressed link, and continues from there', async () => {
    const page = await open('/sounds', { width: 320, height: 568, allow: /400/ });
    const accept = await refuse(page, 400);
    await page.getByRole('link', { name: 'もっと見る' }).click();
    await page.getByRole('alert').waitFor();
    expect(await isInView(page, '#navigation-notice')).toBe(true);
    accept();
    await page.getByRole('button', { name: 'もう一度試す' }).click();
    await expect.poll(async () => (await titles(page)).length).toBe(40);
  });
});
