import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { logOut, openAsMember } from '../support/members.ts';
import { type OpenOptions, useBrowser, visit } from '../support/pages.ts';

/*
 * Pages that are left and come back from the back/forward cache, which Playwright turns off: the events are dispatched.
 * `npm run browsers` goes back for real. Uploads and the player alone have unit tests.
 */

const { open, newPage } = useBrowser();

const freeze = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
const thaw = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));

async function openSounds(options: OpenOptions = {}): Promise<Page> {
  const page = await open('/sounds', options);
  return page;
}

const player = (page: Page) => page.getByRole('region', { name: 'プレーヤー' });

describe('a page that comes back', () => {
  it('shows its sound as paused, and plays on', async () => {
    const page = await openSounds();
    const card = page.locator('[data-sound]').first();
    await card.locator('[data-play]').click();
    await player(page).getByRole('button', { name: '一時停止' }).waitFor();
    await freeze(page);
    await player(page).getByRole('button', { name: '再生', exact: true }).waitFor();
    expect(await card.locator('[data-playing]').count()).toBe(0);
    await thaw(page);
    await player(page).getByRole('button', { name: '再生', exact: true }).click();
    await player(page).getByRole('button', { name: '一時停止' }).waitFor();
    await expect.poll(() => card.locator('[data-playing]').count()).toBe(1);
  });

  it('shows who is logged in now', async () => {
    const page = await openAsMember(newPage(), undefined, '/sounds');
    await page.getByRole('button', { name: 'ログアウト' }).waitFor();
    await freeze(page);
    // Another page of this tab.
    await page.evaluate(() => {
      for (const key of ['auth', 'token', 'refresh']) localStorage.removeItem(key);
    });
    await thaw(page);
    await page.getByRole('link', { name: 'ログイン' }).first().waitFor();
  });

  it('shows the favourites of now', async () => {
    const page = await openAsMember(newPage(), undefined, '/sounds');
    const heart = page.locator('[data-sound] .favorite').first();
    await expect.poll(() => heart.getAttribute('aria-pressed')).not.toBeNull();
    await page.waitForLoadState('networkidle');
    const before = await heart.getAttribute('aria-pressed');
    await heart.click();
    await expect.poll(() => heart.getAttribute('aria-pressed')).not.toBe(before);
    await freeze(page);
    const other = await page.context().newPage();
    // A frozen page hears of no other tab.
    await other.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    await visit(other, '/sounds');
    const same = other.locator('[data-sound] .favorite').first();
    await expect.poll(() => same.getAttribute('aria-pressed')).not.toBe(before);
    await same.click();
    await expect.poll(() => same.getAttribute('aria-pressed')).toBe(before);
    await other.waitForLoadState('networkidle');
    await thaw(page);
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe(before);
    await logOut(page);
  });
});

it('the menu of the player closes by a press beside it where the browser does not close it', async () => {
  const page = await openSounds({ width: 320, height: 700 });
  await page.locator('[data-play]').first().click();
  const button = player(page).getByRole('button', { name: 'プレーヤーのメニュー' });
  await button.click();
  const slider = player(page).getByRole('slider', { name: '音量' });
  await slider.waitFor();
  // Chromium closes popovers by real presses only.
  const press = (selector: string) => page.locator(selector).dispatchEvent('pointerdown');
  await press('#player-menu');
  expect(await slider.isVisible()).toBe(true);
  await press('main');
  await slider.waitFor({ state: 'hidden' });
});

describe('on a phone whose keys alone set the volume', () => {
  it.each([320, 820, 1180])('no control of the volume is shown (%i px)', async (width) => {
    const page = await newPage({ width, height: 700 });
    await page.addInitScript(() =>
      Object.defineProperty(HTMLMediaElement.prototype, 'volume', { get: () => 1, set() {} }),
    );
    await visit(page, '/sounds');
    await page.locator('[data-play]').first().click();
    await player(page).getByRole('button', { name: '一時停止' }).waitFor();
    expect(await player(page).getByRole('slider', { name: '音量' }).count()).toBe(0);
    expect(
      await player(page)
        .getByRole('button', { name: /ミュート|音量|メニュー/ })
        .count(),
    ).toBe(0);
    await player(page).getByRole('button', { name: 'プレーヤーを閉じる' }).click();
    await player(page).waitFor({ state: 'detached' });
  });
});
