import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { GPT_URL } from '#src/ads/gpt-tag.ts';
import { type GptScenario, toGoogletagScript } from '../../fakes/googletag.ts';
import { findFaults } from '../support/axe.ts';
import { GPT_SETTINGS } from '../support/gpt.ts';
import { BEGGING, agree, pressDownload, putNotices } from '../support/notices.ts';
import { holdRequests, useBrowser, visit } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const TITLE = '最新の戦闘音';
/** Reasons in the log when there was no ad, and for an ad that the host considers one second too short. */
const EXPECTED = /^No advertisement: |status of 409|ERR_FAILED/;

const { site, newPage } = useBrowser(useSite(GPT_SETTINGS));

beforeAll(async () => {
  await putNotices(site, [{ link: 'https://example.com/spring' }]);
});

const overlay = (page: Page) => page.locator('dialog.notice-overlay');

// Each theme and each width once: no colour depends on the width.
describe.each([
  ['light', 1440],
  ['dark', 320],
] as const)('in %s at %d px', (colorScheme, width) => {
  /** A page that shows the ads of a scenario and checks what is visible. */
  async function openSounds(scenario: GptScenario, { isTimeOurs = false } = {}) {
    const page = await newPage({ colorScheme, width, allow: EXPECTED });
    await page.context().route(
      (url) => url.origin !== site.url,
      (route) =>
        route.request().url() === GPT_URL
          ? route.fulfill({ contentType: 'text/javascript', body: toGoogletagScript(scenario) })
          : route.abort(),
    );
    if (isTimeOurs) await page.clock.install();
    await visit(page, `/sounds?search=${TITLE}`);
    const look = async (where: string) => {
      expect(await findFaults(page, where)).toEqual([]);
      expect(await page.locator(where).first().innerText()).not.toMatch(BEGGING);
      // One word for one thing, in labels as well: 広告, as the specification calls it.
      expect(await page.locator(where).first().innerHTML()).not.toContain('お知らせ');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    };
    await pressDownload(page, TITLE);
    await page.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    return { page, look };
  }

  it('axe finds no fault in a notice of the operator, and it contains no plea', async () => {
    const { page, look } = await openSounds('no-fill');
    const release = await holdRequests(page, '**/notice/next');
    await look('dialog[open]');
    await agree(page);
    await page.getByText('広告を読み込んでいます…').waitFor();
    await look('dialog[open]');
    release();
    await overlay(page)
      .getByText(/^残り\d+秒$/)
      .waitFor();
    await look('dialog.notice-overlay');
    await page.keyboard.press('Escape');
    await page.getByText('広告を閉じますか?').waitFor();
    await look('dialog.notice-overlay dialog[open]');
    await page.getByRole('button', { name: '閉じる' }).last().click();
    await page.getByText('ダウンロードは始まっていません。').waitFor();
    await look('dialog[open]');
    await page.getByRole('button', { name: 'もう一度見る' }).click();
    await page.locator('.follow-up').getByRole('img').waitFor({ timeout: 15_000 });
    await look('.follow-up');
  });

  it('the same holds for the alert that there was no ad', async () => {
    const { page, look } = await openSounds('no-fill');
    await page.route('**/notice/next', (route) => route.abort());
    await agree(page);
    await page.getByRole('alertdialog').getByText('広告が表示されませんでした。').waitFor();
    await look('dialog[open]');
    await page.keyboard.press('Enter');
    await page.locator('.follow-up').waitFor();
    await look('.follow-up');
  });

  it('the same holds for an ad that waits for a press, and while the host checks the time', async () => {
    const { page, look } = await openSounds('granted');
    await agree(page);
    await page.getByText('広告の準備ができました。').waitFor();
    await look('dialog[open]');
    await page.getByRole('button', { name: '広告を表示する' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: '広告を表示しています。' })
      .waitFor({ state: 'attached' });
    await page.getByText('表示した時間を確認しています。').waitFor();
    await look('dialog[open]');
  });

  it('the same holds for an ad that does not end', async () => {
    const { page, look } = await openSounds('never-ends', { isTimeOurs: true });
    await agree(page);
    await page.clock.runFor(1_000);
    await page.getByRole('button', { name: '広告を表示する' }).click();
    await page.clock.runFor(1_000);
    await page.clock.runFor(180_000);
    await page.getByText('広告がまだ終わっていません。').waitFor();
    await page.clock.resume();
    await look('dialog[open]');
  });
});

it('an ad of a network covers a page with a donation link, and nothing under it is reachable', async () => {
  const page = await newPage({ allow: EXPECTED });
  await page
    .context()
    .route(GPT_URL, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: toGoogletagScript('never-ends') }),
    );
  await visit(page, `/artist/${encodeURIComponent('音の人')}`);
  const link = page.getByRole('link', { name: 'このアーティストを支援する' });
  await link.waitFor();
  await pressDownload(page, TITLE);
  await agree(page);
  await page.getByRole('button', { name: '広告を表示する' }).click();
  await page.locator('#fake-ad').waitFor();
  // Out of reach of keyboard, pointer and screen readers.
  await expect.poll(() => page.locator('main').getAttribute('inert')).toBe('');
  expect(await link.evaluate((element) => (element.focus(), document.activeElement === element))).toBe(false);
});
