import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectFocus } from '../support/focus.ts';
import { agree, closeAlert, pressDownload, putNotices } from '../support/notices.ts';
import { type OpenOptions, useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const TITLE = '最新の戦闘音';
const FILE = `${TITLE} - 音の人.mp3`;
const LINK = 'https://example.com/spring';

const { site, newPage } = useBrowser(useSite());

beforeAll(() => putNotices(site, [{ link: LINK }]));

/** A page of the sound, whose clock can be moved forward. */
async function openSounds(options: OpenOptions = {}) {
  const page = await newPage(options);
  const seen = follow(page);
  await page.clock.install();
  await visit(page, `/sounds?search=${TITLE}`);
  return { page, ...seen };
}

/** Requests that a page sends, and downloads that arrive. */
function follow(page: Page) {
  const calls: string[] = [];
  const files: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url());
    if (origin !== site.url) calls.push(request.url());
    else if (pathname.startsWith('/notice/')) calls.push(pathname.replace(/[0-9a-f]{24}/, 'hash'));
    else if (/\/download(-intents)?$/.test(pathname)) calls.push(toShort(pathname, search));
  });
  page.on('download', (download) => files.push(download.suggestedFilename()));
  return { calls, files };
}

const toShort = (path: string, search: string) =>
  path.replace(/^\/api\/sounds\/\w+\//, '') + search.replace(/intent=[\w-]+/, 'intent=x');

const overlay = (page: Page) => page.locator('dialog.notice-overlay');
const left = (page: Page) => overlay(page).getByText(/^残り\d+秒$/);
const followUp = (page: Page) => page.getByRole('region', { name: `「${TITLE}」のダウンロードを始めました` });

describe('a rewarded download', () => {
  it('loads nothing before consent; then shows the notice, the file, and the credit to paste', async () => {
    const { page, calls, files } = await openSounds();
    await pressDownload(page, TITLE);
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    await waitForAnswers(page);
    expect(calls).toEqual([]);
    const downloading = page.waitForEvent('download');
    await agree(page);
    await left(page).waitFor();
    const link = overlay(page).getByRole('link');
    expect(await link.getAttribute('href')).toBe(LINK);
    expect(await link.getAttribute('target')).toBe('_blank');
    expect((await link.getAttribute('rel'))?.split(' ')).toEqual(
      expect.arrayContaining(['noopener', 'nofollow', 'sponsored']),
    );
    expect((await downloading).suggestedFilename()).toBe(FILE);
    await followUp(page).getByText(`「${TITLE}」 音の人(Otoichi)`).waitFor();
    await expect.poll(() => followUp(page).getByRole('img', { name: '春の市の絵' }).isVisible()).toBe(true);
    expect(calls).toEqual([
      'download-intents',
      '/notice/next',
      '/notice/hash.webp',
      'download?log=true&intent=x&provider=house',
    ]);

    await followUp(page).getByRole('button', { name: '閉じる' }).click();
    await followUp(page).waitFor({ state: 'hidden' });
    // A second one within the day shows no notice, including in another tab.
    const other = await page.context().newPage();
    const seen = follow(other);
    await visit(other, `/sounds?search=${TITLE}`);
    await pressDownload(other, TITLE);
    await expect.poll(() => seen.files).toEqual([FILE]);
    expect(await other.locator('dialog[open]').count()).toBe(0);
    expect(seen.calls.filter((call) => call.startsWith('download?'))).toEqual([
      'download?log=false&intent=x',
    ]);
    expect(files).toHaveLength(1);
  });

  it('works with the keyboard alone, and focus returns to its previous place', async () => {
    const { page, files } = await openSounds({ width: 320, height: 568 });
    await page.getByRole('button', { name: `${TITLE}をダウンロード` }).focus();
    await page.keyboard.press('Enter');
    await expectFocus(page, '広告を見てダウンロード');
    await page.keyboard.press('Enter');
    await left(page).waitFor();
    await expectFocus(page, '閉じる');
    await page.keyboard.press('Escape');
    await expectFocus(page, '広告に戻る');
    await page.keyboard.press('Escape');
    await expectFocus(page, '閉じる');
    // Holding a key must not cancel the download.
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('Escape');
    expect(await overlay(page).isVisible()).toBe(true);
    const back = page.getByRole('button', { name: '広告に戻る' });
    if (await back.isVisible()) await page.keyboard.press('Enter');
    await expect.poll(() => files, { timeout: 15_000 }).toEqual([FILE]);
    await expectFocus(page, `${TITLE}をダウンロード`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  it('starts with the key D of the player as well', async () => {
    const { page } = await openSounds();
    await page.locator('[data-play]').first().click();
    await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
    await page.keyboard.press('d');
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    await page.keyboard.press('d');
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
  });
});

it('a notice that cannot be shown costs nothing: the alert says so, and the file arrives unrewarded', async () => {
  const { page, calls, files } = await openSounds({ allow: /ERR_FAILED/ });
  await page.route('**/notice/*.webp', (route) => route.abort());
  await pressDownload(page, TITLE);
  await agree(page);
  await expect.poll(() => files).toEqual([FILE]);
  await closeAlert(page);
  expect(calls.filter((call) => call.startsWith('download?'))).toEqual([
    'download?log=false&intent=x&provider=none',
  ]);
  expect(await followUp(page).isVisible()).toBe(true);
});

it('of two tabs, the second shows that the first is already downloading', async () => {
  const { page } = await openSounds();
  await pressDownload(page, TITLE);
  await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
  const other = await page.context().newPage();
  const seen = follow(other);
  await visit(other, `/sounds?search=${TITLE}`);
  await pressDownload(other, TITLE);
  await other.getByText('このサウンドは、別のタブでダウンロード中です。').waitFor();
  expect(seen.calls).toEqual([]);
  await page.close();
  // The browser releases the lock of a closed tab a little later.
  const isHeld = () =>
    other.evaluate(async () => {
      const { held = [] } = await navigator.locks.query();
      return held.some(({ name }) => name?.startsWith('download:'));
    });
  await expect.poll(isHeld).toBe(false);
  await pressDownload(other, TITLE);
  await other.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
});
