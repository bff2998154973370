import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { GPT_URL } from '#src/ads/gpt-tag.ts';
import { type GptScenario, toGoogletagScript } from '../../fakes/googletag.ts';
import { type OpenOptions, visit, waitForAnswers } from './pages.ts';

export const SOUND = '最新の戦闘音';
export const FILE_NAME = '最新の戦闘音 - 音の人.mp3';
const PLAYED = '静かな雨 38';

/** The settings with which a site asks Google for ads first. */
export const GPT_SETTINGS = {
  AD_PROVIDERS: 'gpt,house',
  GPT_AD_UNIT: '/22639388115/rewarded_web_example',
  RATE_LIMITS: 'off',
};

/** Reasons in the log, a blocked script, and a host that considers an ad of one second too short. */
const EXPECTED = /^No advertisement: |ERR_FAILED|status of 409|The ad could not be shown|The ad tag failed/;

/** What the page sent, and what it received. */
export interface Seen {
  tag: number;
  readonly foreign: string[];
  readonly completions: string[];
  readonly files: string[];
}

/** A page of sounds, one of them playing, where gpt.js is answered locally, and no other external request is made. */
export async function openSounds(
  newPage: (options: OpenOptions) => Promise<Page>,
  siteUrl: string,
  script: GptScenario,
): Promise<{ page: Page; seen: Seen }> {
  const page = await newPage({ allow: EXPECTED });
  const seen: Seen = { tag: 0, foreign: [], completions: [], files: [] };
  await page.context().route(
    (url) => url.origin !== siteUrl,
    async (route) => {
      const url = route.request().url();
      if (url !== GPT_URL) {
        seen.foreign.push(url);
        return route.abort();
      }
      seen.tag += 1;
      return route.fulfill({ contentType: 'text/javascript', body: toGoogletagScript(script) });
    },
  );
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url());
    if (/^\/api\/sounds\/[^/]+\/download$/.test(pathname) && response.ok()) seen.completions.push(search);
  });
  page.on('download', (download) => seen.files.push(download.suggestedFilename()));
  // The playing sound must not end before the test.
  await page.addInitScript(() => localStorage.setItem('player:loop', 'true'));
  await visit(page, '/artist/音の人');
  await page.locator('[data-sound]', { hasText: PLAYED }).first().locator('[data-play]').click();
  await expectPlaying(page);
  return { page, seen };
}

export const download = (page: Page) =>
  page.getByRole('button', { name: `${SOUND}をダウンロード`, exact: true }).click();
export const agree = (page: Page) => page.getByRole('button', { name: '広告を見てダウンロード' }).click();
export const show = (page: Page) => page.getByRole('button', { name: '広告を表示する' }).click();

const toLabel = (page: Page) =>
  page.locator('[data-sound]', { hasText: PLAYED }).first().locator('[data-play]').getAttribute('aria-label');
export const expectPlaying = (page: Page) => expect.poll(() => toLabel(page)).toBe(`${PLAYED}を一時停止`);
export const expectResting = (page: Page) => expect.poll(() => toLabel(page)).toBe(`${PLAYED}を再生`);

/** Asserts that the ad is gone, the page is reachable, the player continues, and no external request was made. */
export async function expectNothingLeft(page: Page, seen: Seen): Promise<void> {
  const left = await page.evaluate(() => ({
    listeners: window.gptRecord?.listeners ?? 0,
    slots: window.gptRecord?.slots ?? 0,
    destroyed: window.gptRecord?.calls.filter((call) => call === 'destroySlots').length ?? 0,
    defined: window.gptRecord?.calls.filter((call) => call === 'addService').length ?? 0,
    ads: document.querySelectorAll('#fake-ad').length,
    inert: document.querySelectorAll('[inert]').length,
  }));
  expect(left).toMatchObject({ listeners: 0, slots: 0, ads: 0, inert: 0, destroyed: left.defined });
  expect(seen.foreign).toEqual([]);
  await expectPlaying(page);
}

/** Asserts one file, as rewarded. */
export async function expectRewarded(page: Page, seen: Seen): Promise<void> {
  await expect.poll(() => seen.files, { timeout: 20_000 }).toEqual([FILE_NAME]);
  await waitForAnswers(page);
  expect(seen.files).toHaveLength(1);
  expect(seen.completions).toHaveLength(1);
  expect(seen.completions[0]).toContain('log=true');
  expect(seen.completions[0]).toContain('provider=gpt');
}
