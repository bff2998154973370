import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectFocus } from '../support/focus.ts';
import { BEGGING, agree, pressDownload, putNotices } from '../support/notices.ts';
import { NO_COPYING, useBrowser, visit, waitForAnswers, waitForHydration } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const TITLE = '最新の戦闘音';
const CREDIT = `「${TITLE}」 音の人(Otoichi)`;
const BUTTON = `${TITLE}をダウンロード`;
const ARTIST = `/artist/${encodeURIComponent('音の人')}`;

const { site, open } = useBrowser(useSite());

beforeAll(async () => {
  await putNotices(site, [{}]);
});

const overlay = (page: Page) => page.locator('dialog.notice-overlay');
const followUp = (page: Page) => page.getByRole('region', { name: `「${TITLE}」のダウンロードを始めました` });
const picture = (page: Page) => followUp(page).getByRole('img', { name: '春の市の絵' });

async function openSounds(path = `/sounds?search=${TITLE}`): Promise<Page> {
  const page = await open(path);
  return page;
}

/** A page whose browser has earned the sound before: the next press downloads the file at once. */
async function openEarned(path?: string): Promise<Page> {
  const page = await openSounds(path);
  await pressDownload(page, TITLE);
  await agree(page);
  await followUp(page).waitFor({ timeout: 15_000 });
  await page.reload();
  await waitForHydration(page);
  return page;
}

describe('the sheet after a download', () => {
  it('returns focus when closed by keyboard, to the page’s content when the button is gone', async () => {
    const page = await openEarned();
    const press = async () => {
      await page.getByRole('button', { name: BUTTON }).focus();
      await page.keyboard.press('Enter');
      await followUp(page).waitFor();
      await expectFocus(page, BUTTON);
    };
    await press();
    await followUp(page).getByRole('button', { name: '閉じる' }).focus();
    await page.keyboard.press('Enter');
    await followUp(page).waitFor({ state: 'detached' });
    await expectFocus(page, BUTTON);
    await press();
    await followUp(page).getByRole('button', { name: 'コピー' }).focus();
    await page.keyboard.press('Escape');
    await followUp(page).waitFor({ state: 'detached' });
    await expectFocus(page, BUTTON);
    await press();
    await page.evaluate(() =>
      document.querySelectorAll('[data-sound]').forEach((card) => (card as HTMLElement).remove()),
    );
    await followUp(page).getByRole('button', { name: '閉じる' }).focus();
    await page.keyboard.press('Enter');
    await followUp(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('is announced: its live region exists, empty, before its text', async () => {
    const page = await openEarned();
    await page.evaluate(() => {
      const texts: string[] = [];
      Reflect.set(window, 'firstTexts', texts);
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (!(node instanceof Element)) continue;
          const added = [node, ...node.querySelectorAll('*')];
          texts.push(...added.filter((each) => each.matches('p[role=status]')).map((each) => each.innerHTML));
        }
      }).observe(document.body, { childList: true, subtree: true });
    });
    await pressDownload(page, TITLE);
    await page
      .getByRole('status')
      .filter({ hasText: 'のダウンロードを始めました。Cキーか、ページの先頭のリンクから、' })
      .waitFor({ state: 'attached' });
    expect(await page.evaluate(() => Reflect.get(window, 'firstTexts') as string[])).toEqual(['']);
  });

  it('is reached by a key from where the focus is, and by a skip link that is only there with it', async () => {
    const page = await openEarned();
    const skipLink = page.getByRole('link', { name: 'クレジット表記へスキップ' });
    expect(await skipLink.count()).toBe(0);
    const isInside = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press('c');
    await page.getByRole('button', { name: BUTTON }).press('Enter');
    await followUp(page).waitFor();
    await expectFocus(page, BUTTON);
    await page.keyboard.press('c');
    expect(await isInside()).toBe('follow-up');
    await page.keyboard.press('Escape');
    await followUp(page).waitFor({ state: 'detached' });
    await expectFocus(page, BUTTON);
    expect(await skipLink.count()).toBe(0);
    await page.keyboard.press('Enter');
    await followUp(page).waitFor();
    await skipLink.press('Enter');
    await expect.poll(isInside).toBe('follow-up');
  });

  it('keeps its text in place when the picture arrives later', async () => {
    // Firefox would show the picture of the first page from its memory, without a request.
    const storageState = await (await openEarned()).context().storageState();
    const page = await open(`/sounds?search=${TITLE}`, { storageState });
    let show = () => {};
    const held = new Promise<void>((resolve) => (show = resolve));
    await page.route('**/notice/*.webp', async (route) => {
      await held;
      await route.continue();
    });
    await pressDownload(page, TITLE);
    await followUp(page).waitFor();
    const places = async () => [
      await followUp(page).getByRole('heading').boundingBox(),
      await followUp(page).getByRole('button', { name: '閉じる' }).boundingBox(),
      await followUp(page).getByText(CREDIT).boundingBox(),
      await page.evaluate(() => scrollY),
    ];
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    const before = await places();
    expect(await picture(page).isVisible()).toBe(false);
    show();
    await picture(page).waitFor();
    expect(await places()).toEqual(before);
  });

  it.each(NO_COPYING)('selects its credit where a browser %s', async (_, prepare) => {
    const page = await openEarned();
    await page.evaluate(prepare);
    await pressDownload(page, TITLE);
    await followUp(page).getByRole('button', { name: 'コピー' }).click();
    await page.getByText('コピーできませんでした。選択された文字をコピーしてください。').first().waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(CREDIT);
  });
});

describe('on a page that has a donation link', () => {
  it('no notice is shown next to it: one covers the page, and none follows the download', async () => {
    const page = await openSounds(ARTIST);
    const link = page.getByRole('link', { name: 'このアーティストを支援する' });
    await link.waitFor();
    await pressDownload(page, TITLE);
    await agree(page);
    await overlay(page)
      .getByText(/^残り\d+秒$/)
      .waitFor();
    expect(await overlay(page).innerText()).not.toMatch(BEGGING);
    const covered = await overlay(page).boundingBox();
    expect(covered).toEqual({ x: 0, y: 0, width: 1440, height: 900 });
    // The content under it is neither visible nor reachable.
    expect(
      await page.evaluate(() =>
        Array.from({ length: 100 }, (_, index) =>
          document.elementFromPoint(((index % 10) + 0.5) * 144, (Math.floor(index / 10) + 0.5) * 90),
        ).every((element) => element?.closest('dialog.notice-overlay')),
      ),
    ).toBe(true);
    await followUp(page).getByText(CREDIT).waitFor({ timeout: 15_000 });
    await waitForAnswers(page);
    expect(await followUp(page).getByRole('img').count()).toBe(0);
    expect(await followUp(page).innerText()).not.toMatch(BEGGING);
    await visit(page, `/sounds?search=${TITLE}`);
    await pressDownload(page, TITLE);
    await picture(page).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(BEGGING);
  });
});
