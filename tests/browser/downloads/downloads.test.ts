import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectFocus } from '../support/focus.ts';
import { agree, closeAlert, pressDownload, putNotices } from '../support/notices.ts';
import { type OpenOptions, useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const TITLE = '最新の戦闘音';
const FILE = `${TITLE} - 音の人.mp3`;
const LINK = 'https://example.com/spring';
const FAILED = /Failed to load resource|Failed to fetch the sound file\./;

const site = useSite();
const { newPage } = useBrowser(() => site.url);

const putNotice = () => putNotices(site, [{ link: LINK }]);
beforeAll(putNotice);

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

async function giveUp(page: Page): Promise<void> {
  await left(page).waitFor();
  await page.keyboard.press('Escape');
  await overlay(page).getByRole('dialog').getByRole('button', { name: '閉じる' }).click();
}

async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (value ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

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
    await expectFocus(page, 'お知らせに戻る');
    await page.keyboard.press('Escape');
    await expectFocus(page, '閉じる');
    // Holding a key must not cancel the download.
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('Escape');
    expect(await overlay(page).isVisible()).toBe(true);
    const back = page.getByRole('button', { name: 'お知らせに戻る' });
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

  it('is cancelled when its notice is closed too early, and can be retried at once', async () => {
    const { page, calls, files } = await openSounds();
    await pressDownload(page, TITLE);
    await agree(page);
    await giveUp(page);
    await page.getByText('ダウンロードは始まっていません。').waitFor();
    expect(calls.some((call) => call.startsWith('download?'))).toBe(false);
    await page.getByRole('button', { name: 'もう一度見る' }).click();
    await giveUp(page);
    await page.getByRole('button', { name: 'やめる' }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe(`${TITLE}をダウンロード`);
    expect([calls.filter((call) => call.startsWith('download')), files]).toEqual([['download-intents'], []]);
  });

  it('pauses while its tab is hidden', async () => {
    const { page, files } = await openSounds();
    await pressDownload(page, TITLE);
    await agree(page);
    await left(page).waitFor();
    await hide(page, true);
    const before = await left(page).innerText();
    await page.clock.runFor(6_000);
    expect([await left(page).innerText(), files]).toEqual([before, []]);
    await hide(page, false);
    await expect.poll(() => files, { timeout: 15_000 }).toEqual([FILE]);
  });
});

describe('when no notice can be shown', () => {
  it.each([
    [
      'because the operator has none',
      async () => {
        onTestFinished(putNotice);
        await putNotices(site, []);
      },
      /^$/,
    ],
    [
      'because its picture does not load',
      async (page: Page) => page.route('**/notice/*.webp', (route) => route.abort()),
      /ERR_FAILED/,
    ],
    [
      'because a blocker takes the call',
      async (page: Page) => page.route('**/notice/next', (route) => route.abort()),
      /ERR_FAILED/,
    ],
  ])('%s, the alert says so and the file arrives unrewarded', async (_, prepare, allow) => {
    const { page, calls, files } = await openSounds({ allow });
    await prepare(page);
    await pressDownload(page, TITLE);
    await agree(page);
    await expect.poll(() => files).toEqual([FILE]);
    await closeAlert(page);
    expect(calls.filter((call) => call.startsWith('download?'))).toEqual([
      'download?log=false&intent=x&provider=none',
    ]);
    expect(await followUp(page).isVisible()).toBe(true);
  });
});

describe('only one download starts from', () => {
  it('a double press', async () => {
    const { page, calls } = await openSounds();
    await page.getByRole('button', { name: `${TITLE}をダウンロード` }).dblclick();
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    await page.getByRole('button', { name: '広告を見てダウンロード' }).dblclick();
    await followUp(page).waitFor({ timeout: 15_000 });
    expect(calls.filter((call) => call.startsWith('download'))).toEqual([
      'download-intents',
      'download?log=true&intent=x&provider=house',
    ]);
  });

  it('two tabs: the second shows that the first is already downloading', async () => {
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
    await pressDownload(other, TITLE);
    await other.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
  });
});

it('a broken file is only logged, and the button downloads it without a second notice', async () => {
  const { page, calls, files } = await openSounds({ allow: FAILED });
  let hasBroken = false;
  await page.route('**/media/downloads/**', (route) => {
    if (hasBroken) return route.continue();
    hasBroken = true;
    return route.abort();
  });
  await pressDownload(page, TITLE);
  await agree(page);
  const again = page.getByRole('button', { name: `${TITLE}をもう一度ダウンロード` });
  await again.waitFor({ timeout: 15_000 });
  expect([files, await page.locator('[data-sonner-toast]').count()]).toEqual([[], 0]);
  await again.click();
  await expect.poll(() => files).toEqual([FILE]);
  // Nobody agreed to a second notice, and none was watched. What follows a download (spec §7) loads a notice too.
  expect(calls.filter((call) => call.startsWith('download?'))).toEqual([
    'download?log=true&intent=x&provider=house',
    'download?log=false&intent=x',
  ]);
  await page.getByRole('button', { name: `${TITLE}をダウンロード`, exact: true }).waitFor();
});

it('leaving the page during a download removes everything', async () => {
  const { page, calls } = await openSounds();
  await page.getByRole('link', { name: TITLE, exact: true }).first().click();
  await page.waitForURL(/\/sounds\/\w+$/);
  await pressDownload(page, TITLE);
  await agree(page);
  await left(page).waitFor();
  await page.goBack();
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
  await page.clock.runFor(6_000);
  expect(calls.filter((call) => call.startsWith('download?'))).toEqual([]);
  await pressDownload(page, TITLE);
  await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
});
