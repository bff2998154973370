import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GptScenario } from '../../fakes/googletag.ts';
import {
  FILE_NAME,
  GPT_SETTINGS,
  SOUND,
  type Script,
  type SoundsOptions,
  agree,
  download,
  expectNothingLeft,
  expectPlaying,
  expectResting,
  expectRewarded,
  expectUnrewarded,
  openSounds,
  show,
} from '../support/gpt.ts';
import { putNotices } from '../support/notices.ts';
import { useBrowser, visit } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const site = useSite(GPT_SETTINGS);
const { newPage } = useBrowser(() => site.url);
beforeAll(() => putNotices(site, []));

/** The browser runs one scenario of each outcome, and all with SOAK=1. tests/src/ads/gpt.test.ts covers each. */
const sample = <Item>(first: Item, ...others: Item[]) =>
  process.env['SOAK'] === undefined ? [first] : [first, ...others];

const open = (script: Script, options?: SoundsOptions) => openSounds(newPage, site.url, script, options);

/** Up to the point where the ad is shown. */
async function openShowing(script: Script, options?: SoundsOptions) {
  const opened = await open(script, options);
  await download(opened.page);
  await agree(opened.page);
  await show(opened.page);
  return opened;
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/** Moves a page's clock, and lets due timers run. */
async function passTime(page: Page, ms: number): Promise<void> {
  await page.waitForTimeout(300);
  await page.clock.fastForward(ms);
  await page.waitForTimeout(300);
}

describe('a rewarded ad of Google', () => {
  it.each<GptScenario>(
    sample('granted', 'payload-null', 'granted-twice', 'granted-after-close', 'display-sync-event'),
  )('%s: the file comes once, as rewarded', async (script) => {
    const { page, seen } = await openShowing(script);
    await expectRewarded(page, seen);
    expect(seen.tag).toBe(1);
    await expectNothingLeft(page, seen);
  });

  it('granted-never-closed: the file arrives after three minutes', async () => {
    const { page, seen } = await openShowing('granted-never-closed', { isTimeOurs: true });
    await page.locator('#fake-ad').waitFor();
    await page.waitForTimeout(600);
    await passTime(page, 100_000);
    expect(seen.completions).toEqual([]);
    await passTime(page, 80_000);
    await passTime(page, 20_000);
    await expectRewarded(page, seen);
    await expectNothingLeft(page, seen);
  });

  it('granted-after-minutes: a visitor who returns to the ad earns the file', async () => {
    const { page, seen } = await openShowing('granted-after-minutes', { isTimeOurs: true });
    await page.locator('#fake-ad').waitFor();
    await passTime(page, 181_000);
    await page.getByRole('button', { name: '広告に戻る' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
    await passTime(page, 58_000);
    await passTime(page, 20_000);
    await expectRewarded(page, seen);
    await expectNothingLeft(page, seen);
  });

  it('never-ends: a visitor who closes it gets no file', async () => {
    const { page, seen } = await openShowing('never-ends', { isTimeOurs: true });
    await page.locator('#fake-ad').waitFor();
    await passTime(page, 181_000);
    await page.getByRole('button', { name: '広告を閉じる' }).click();
    await page.getByText('広告が最後まで表示されなかったため').waitFor();
    await page.getByRole('button', { name: 'やめる' }).click();
    await expectNothingLeft(page, seen);
    expect(seen).toMatchObject({ completions: [], files: [], tag: 1 });
  });

  it.each<GptScenario>(
    sample('dismissed', 'close-twice', 'video-completed-only', 'granted-too-late', 'granted-unseen'),
  )('%s: nothing is downloaded, and it can be tried again at once', async (script) => {
    const { page, seen } = await openShowing(script);
    await page.getByText('広告が最後まで表示されなかったため').waitFor();
    await expectNothingLeft(page, seen);
    await page.getByRole('button', { name: 'もう一度見る' }).click();
    await show(page);
    await page.getByText('広告が最後まで表示されなかったため').waitFor();
    await page.getByRole('button', { name: 'やめる' }).click();
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    await expect.poll(() => focused(page)).toBe(`${SOUND}をダウンロード`);
    // Longer than the delay of the late grant.
    await page.waitForTimeout(script === 'granted-too-late' ? 2_000 : 0);
    await expectNothingLeft(page, seen);
    expect(seen).toMatchObject({ completions: [], files: [], tag: 1 });
  });

  it.each<Script>(sample('no-fill', 'consent-denied', 'unsupported', 'define-throws', 'ubo-stub'))(
    '%s: the alert, and the file as unrewarded',
    async (script) => {
      const { page, seen } = await open(script);
      await download(page);
      await agree(page);
      await expectUnrewarded(page, seen);
      await expectNothingLeft(page, seen);
    },
  );

  it.each<Script>(sample('show-returns-false', 'show-throws'))(
    '%s: the alert, and the file as unrewarded again',
    async (script) => {
      const { page, seen } = await openShowing(script);
      await expectUnrewarded(page, seen);
      await expectNothingLeft(page, seen);
    },
  );

  it.each<[Script, number[]]>([
    ['script-404', [2_500, 8_500]],
    ...sample<[Script, number[]]>(
      ['never-ready', [10_500]],
      ['slow-ready', [10_500, 30_000]],
      ['foreign-slot-events', [10_500]],
      ['script-hang', [8_500]],
    ),
  ])('%s: waits a bounded time, then as unrewarded', async (script, waits) => {
    const { page, seen } = await open(script, { isTimeOurs: true });
    await download(page);
    await agree(page);
    await expect.poll(() => seen.tag).toBe(1);
    for (const ms of waits) await passTime(page, ms);
    await expectUnrewarded(page, seen);
    await expectNothingLeft(page, seen);
  });

  it('is not requested without consent, nor before it', async () => {
    const { page, seen } = await open('granted');
    await download(page);
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    await page.waitForTimeout(500);
    expect(seen).toMatchObject({ tag: 0, foreign: [] });
    await page.getByRole('button', { name: 'キャンセル' }).click();
    await page.waitForTimeout(500);
    expect(seen).toMatchObject({ tag: 0, foreign: [], completions: [], files: [] });
    expect(await page.evaluate(() => Reflect.has(window, 'googletag'))).toBe(false);
  });

  it('is removed when its page is left', async () => {
    const { page, seen } = await openShowing('never-ends');
    await page.locator('#fake-ad').waitFor();
    await page.evaluate(() => document.querySelector<HTMLElement>('.navbar-logo')?.click());
    await page.waitForURL((url) => url.pathname === '/');
    await expect.poll(() => page.locator('[inert]').count()).toBe(0);
    expect(await page.evaluate(() => window.gptRecord)).toMatchObject({ listeners: 0, slots: 0 });
    expect(seen).toMatchObject({ completions: [], files: [], foreign: [] });
    expect(await page.locator('dialog[open], #fake-ad').count()).toBe(0);
  });

  it('earns the file when the page is left after the grant', async () => {
    const { page, seen } = await openShowing('granted-never-closed');
    await page.locator('#fake-ad').waitFor();
    await page.waitForTimeout(700);
    await page.evaluate(() => document.querySelector<HTMLElement>('.navbar-logo')?.click());
    await page.waitForURL((url) => url.pathname === '/');
    await expectRewarded(page, seen);
  });

  it('is locked against a second tab showing it for the same sound', async () => {
    const { page, seen } = await openShowing('never-ends', { isListening: false });
    const other = await page.context().newPage();
    await visit(other, '/sounds');
    await download(other);
    await other.getByText('別のタブでダウンロード中です').waitFor();
    expect(seen.tag).toBe(1);
    expect(seen.completions).toEqual([]);
  });

  it.each(sample('/login', '/contact'))(
    'is skipped on %s, where none of its code is loaded',
    async (path) => {
      const { page, seen } = await open('granted', { isListening: false });
      await page.locator('[data-sound]', { hasText: SOUND }).first().locator('[data-play]').click();
      await expect.poll(() => page.evaluate(() => localStorage.getItem('player:queue'))).toContain(SOUND);
      await visit(page, path);
      await page.getByRole('region', { name: 'プレーヤー' }).getByText(SOUND).waitFor();
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press('d');
      await agree(page);
      await expectUnrewarded(page, seen);
      expect(seen).toMatchObject({ tag: 0, foreign: [] });
      expect(await page.evaluate(() => Reflect.has(window, 'googletag'))).toBe(false);
    },
  );
});

describe('while an ad of Google is shown', () => {
  it('the player pauses, focus is in its frame, and nothing else on the page is reachable', async () => {
    const { page, seen } = await openShowing('never-ends');
    await page.locator('#fake-ad').waitFor();
    await expectResting(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
    for (const place of ['#main', 'header', 'footer', '#player']) {
      expect(
        await page
          .locator(place)
          .first()
          .evaluate((element) => element.closest('[inert]') !== null),
      ).toBe(true);
    }
    // Focus may still return to the page. Its keyboard shortcuts must have no effect then.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const key of ['d', ' ', 'n', '/', '?']) await page.keyboard.press(key);
    await page.waitForTimeout(300);
    await expectResting(page);
    expect(await page.locator('dialog[open]').count()).toBe(0);
    expect(seen).toMatchObject({ completions: [], files: [], foreign: [] });
  });

  it('and was granted, focus returns to the download button', async () => {
    const { page, seen } = await openShowing('granted');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
    await expect.poll(() => seen.files, { timeout: 20_000 }).toEqual([FILE_NAME]);
    await expect.poll(() => focused(page)).toContain(SOUND);
    await expectPlaying(page);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press(' ');
    await expectResting(page);
  });
});
