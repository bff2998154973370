import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findFaults } from '../support/axe.ts';
import { agree, closeAlert, pressDownload, putNotices, recordVideo } from '../support/notices.ts';
import { type OpenOptions, useBrowser, visit } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const TITLE = '最新の戦闘音';
const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:10.000\n春の市がひらかれます。\n';

const { site, newPage, getBrowser } = useBrowser(useSite());

beforeAll(async () => {
  const video = await recordVideo(getBrowser());
  await putNotices(site, [{ video, captions: CAPTIONS, text: '春の市の動画' }]);
});

const overlay = (page: Page) => page.locator('dialog.notice-overlay');
const video = (page: Page) => overlay(page).locator('video');
const isPlaying = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => !element.paused);
const isMuted = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => element.muted);
const player = (page: Page) => page.getByRole('region', { name: 'プレーヤー' });

async function openPage(options: OpenOptions) {
  const page = await newPage(options);
  const files: string[] = [];
  page.on('download', (download) => files.push(download.suggestedFilename()));
  await visit(page, '/artist/音の人');
  return { page, files };
}

async function openNotice(options: OpenOptions = {}, before?: (page: Page) => Promise<void>) {
  const { page, files } = await openPage(options);
  await before?.(page);
  await pressDownload(page, TITLE);
  await agree(page);
  await overlay(page)
    .getByText(/^残り\d+秒$/)
    .waitFor();
  return { page, files };
}

describe('a notice that is a video', () => {
  it('plays muted with captions, and the file follows', async () => {
    const { page, files } = await openNotice();
    await expect.poll(() => isPlaying(page)).toBe(true);
    expect(await isMuted(page)).toBe(true);
    const cues = () =>
      video(page).evaluate((element: HTMLVideoElement) =>
        Array.from(element.textTracks[0]?.activeCues ?? [], (cue) => (cue as VTTCue).text),
      );
    await expect.poll(cues).toEqual(['春の市がひらかれます。']);
    await expect.poll(() => files, { timeout: 15_000 }).toEqual([`${TITLE} - 音の人.mp3`]);
    expect(await overlay(page).count()).toBe(0);
  });

  it('starts in a browser that preloads no video data', async () => {
    const { page, files } = await openNotice({}, (opened) =>
      opened.evaluate(() => {
        // iOS ignores the page’s preload hint.
        const set = Element.prototype.setAttribute;
        HTMLVideoElement.prototype.setAttribute = function (name, value) {
          set.call(this, name, name === 'preload' ? 'none' : value);
        };
      }),
    );
    expect(await video(page).getAttribute('preload')).toBe('none');
    await expect.poll(() => isPlaying(page)).toBe(true);
    await expect.poll(() => files.length, { timeout: 15_000 }).toBe(1);
  });

  it('continues after a question that interrupted its start', async () => {
    const { page } = await openNotice({}, (opened) =>
      opened.evaluate(() => {
        // The first time, as if it had been paused before it could play.
        const { play } = HTMLMediaElement.prototype;
        let isFirst = true;
        HTMLMediaElement.prototype.play = function () {
          const playing = play.call(this);
          if (!isFirst) return playing;
          isFirst = false;
          return playing.then(() => Promise.reject(new DOMException('interrupted', 'AbortError')));
        };
      }),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '広告に戻る' }).click();
    await expect.poll(() => isPlaying(page)).toBe(true);
    expect(await page.getByRole('button', { name: '動画を止める' }).count()).toBe(1);
  });

  it('is skipped when broken: the alert says so, and the file arrives', async () => {
    const { page, files } = await openPage({ allow: /ERR_FAILED/ });
    await page.route('**/notice/*.webm', (route) => route.abort());
    await pressDownload(page, TITLE);
    await agree(page);
    await closeAlert(page);
    await expect.poll(() => files.length).toBe(1);
  });

  it('has sound only on request; the player pauses for that time, and resumes afterwards', async () => {
    const { page, files } = await openNotice({}, async (opened) => {
      await opened.locator('[data-sound]', { hasText: '静かな雨 38' }).locator('[data-play]').first().click();
      await player(opened).getByRole('button', { name: '一時停止' }).waitFor();
    });
    expect(await player(page).getByRole('button', { name: '一時停止', includeHidden: true }).count()).toBe(1);
    await page.getByRole('button', { name: '音を出す' }).click();
    await expect.poll(() => isMuted(page)).toBe(false);
    await expect
      .poll(() => player(page).getByRole('button', { name: '一時停止', includeHidden: true }).count())
      .toBe(0);
    await expect.poll(() => files.length, { timeout: 15_000 }).toBe(1);
    await player(page).getByRole('button', { name: '一時停止' }).waitFor();
  });

  it('pauses during the question whether to give up, and can be paused while the time counts', async () => {
    const { page, files } = await openNotice();
    await expect.poll(() => isPlaying(page)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByText('広告を閉じますか?').waitFor();
    expect(await isPlaying(page)).toBe(false);
    await page.getByRole('button', { name: '広告に戻る' }).click();
    await expect.poll(() => isPlaying(page)).toBe(true);
    await page.getByRole('button', { name: '動画を止める' }).click();
    await expect.poll(() => isPlaying(page)).toBe(false);
    await expect.poll(() => files.length, { timeout: 15_000 }).toBe(1);
  });

  it('is paused for visitors who prefer reduced motion, until they press play', async () => {
    const { page, files } = await openNotice({ reducedMotion: 'reduce' });
    expect(await isPlaying(page)).toBe(false);
    await page.getByRole('button', { name: '動画を再生' }).click();
    await expect.poll(() => isPlaying(page)).toBe(true);
    await expect.poll(() => files.length, { timeout: 15_000 }).toBe(1);
  });

  it.each([
    ['light', 1440],
    ['dark', 320],
  ] as const)('has no axe fault in %s at %d px', async (colorScheme, width) => {
    const { page } = await openNotice({ colorScheme, width });
    expect(await findFaults(page, 'dialog.notice-overlay')).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});
