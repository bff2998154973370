import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser, visit, waitForAnswers } from '../support/pages.ts';

const { newPage } = useBrowser();

const player = (page: Page) => page.getByRole('region', { name: 'プレーヤー' });
const repeat = (page: Page) => player(page).getByRole('button', { name: 'リピート' }).click();
const play = (page: Page, title: string) =>
  page.locator('[data-sound]', { hasText: title }).first().locator('[data-play]').click();

interface Heard {
  /** The samples that were sent to the output. */
  readonly samples: number[];
  readonly audio: HTMLAudioElement[];
}

/**
 * A page that records its only audio element, and what Web Audio sends to the output. A worklet records it on the thread
 * of the sound: a busy page would lose and repeat parts of the recording.
 */
async function openRecorded(path: string, allow?: RegExp): Promise<Page> {
  // The page's policy allows no worklet.
  const page = await newPage({ bypassCSP: true, ...(allow && { allow }) });
  await page.addInitScript(() => {
    const heard: Heard = { samples: [], audio: [] };
    Reflect.set(window, 'heard', heard);
    window.Audio = new Proxy(window.Audio, {
      construct: (target, args: [string?]) => heard.audio[heard.audio.push(new target(...args)) - 1]!,
    });
    const recorder = `registerProcessor('recorder', class extends AudioWorkletProcessor {
      process([[samples]]) {
        if (samples) this.port.postMessage(samples.slice());
        return true;
      }
    });`;
    const recorderUrl = URL.createObjectURL(new Blob([recorder], { type: 'text/javascript' }));
    const connect: (this: AudioNode, to: AudioNode) => AudioNode = AudioNode.prototype.connect;
    async function record(source: AudioNode, output: AudioDestinationNode): Promise<void> {
      const context = output.context as AudioContext;
      await context.audioWorklet.addModule(recorderUrl);
      const node = new AudioWorkletNode(context, 'recorder');
      node.port.addEventListener('message', ({ data }) => void heard.samples.push(...data));
      node.port.start();
      connect.call(source, node);
      connect.call(node, output);
    }
    Reflect.set(AudioNode.prototype, 'connect', function (this: AudioNode, to: AudioNode) {
      if (to instanceof AudioDestinationNode) void record(this, to);
      return connect.call(this, to);
    });
  });
  await visit(page, path);
  return page;
}

const listen = <Result>(page: Page, read: (heard: Heard) => Result) =>
  page.evaluate(`(${read})(window.heard)`) as Promise<Result>;
const isMuted = (page: Page) => listen(page, ({ audio }) => audio[0]?.muted);
/** How far the audio element has played. */
const heardSec = (page: Page) => listen(page, ({ audio }) => audio[0]?.currentTime ?? 0);
const countSamples = (page: Page) => listen(page, ({ samples }) => samples.length);
/** The loudest of the last tenth of a second. */
const level = (page: Page) => listen(page, ({ samples }) => Math.max(...samples.slice(-4_800).map(Math.abs)));
const shownSec = async (page: Page) => {
  const [minutes = 0, seconds = 0] = (await player(page).locator('.tabular').first().innerText())
    .split(':')
    .map(Number);
  return minutes * 60 + seconds;
};

describe('a sound that is marked as a loop', () => {
  it('is repeated without a silent sample at the seam', async () => {
    const page = await openRecorded('/sounds');
    // Set while a sound plays that is no loop: the next one may end before anybody could press a button.
    await play(page, '静かな雨 37');
    await repeat(page);
    // 0.4 s, 264 periods of a tone.
    await play(page, '決定音 36');
    await expect.poll(() => isMuted(page)).toBe(true);
    await expect.poll(() => countSamples(page), { timeout: 20_000 }).toBeGreaterThan(48_000 * 3);
    const gaps = await listen(page, ({ samples }) => {
      const found: number[] = [];
      let silent = 0;
      for (const sample of samples.slice(samples.findIndex((each) => Math.abs(each) > 0.05))) {
        silent = Math.abs(sample) < 0.01 ? silent + 1 : 0;
        if (silent === 12) found.push(silent);
      }
      return found;
    });
    expect(gaps).toEqual([]);
    expect(await level(page)).toBeGreaterThan(0.1);
  });

  it('is paused, resumed, turned down and moved in, across a navigation, until repeating ends', async () => {
    const page = await openRecorded('/sounds');
    await play(page, '静かな雨 40');
    await repeat(page);
    await expect.poll(() => isMuted(page)).toBe(true);
    await page.locator('h1').click();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(() => shownSec(page)).toBeGreaterThanOrEqual(15);
    // Behind the end is the beginning, and nothing else is played.
    await expect.poll(() => shownSec(page), { timeout: 10_000 }).toBeLessThan(5);
    expect(await player(page).innerText()).toContain('静かな雨 40');
    const before = await level(page);
    expect(before).toBeGreaterThan(0.02);
    for (let press = 0; press < 9; press += 1) await page.keyboard.press('ArrowDown');
    await expect.poll(() => level(page)).toBeLessThan(before / 2);
    await page.keyboard.press(' ');
    await expect.poll(() => player(page).getByRole('button', { name: '再生' }).count()).toBe(1);
    const paused = await shownSec(page);
    const samples = await countSamples(page);
    // oxlint-disable-next-line no-restricted-properties -- Records the silence.
    await page.waitForTimeout(1_500);
    expect(await countSamples(page)).toBeLessThan(samples + 24_000);
    await page.keyboard.press(' ');
    await expect.poll(() => shownSec(page)).toBeGreaterThan(paused);
    await page.getByRole('link', { name: '会員規約' }).click();
    await page.waitForURL('**/member-terms');
    const later = await shownSec(page);
    await expect.poll(() => shownSec(page)).toBeGreaterThan(later);
    expect(await isMuted(page)).toBe(true);
    expect(await page.evaluate(() => navigator.mediaSession.playbackState)).toBe('playing');
    const last = await shownSec(page);
    await repeat(page);
    expect(await isMuted(page)).toBe(false);
    const sec = await heardSec(page);
    expect(sec).toBeGreaterThanOrEqual(last);
    expect(sec).toBeLessThan(last + 3);
    expect(await listen(page, ({ audio }) => audio[0]?.paused)).toBe(false);
  });

  it('makes place for the next sound', async () => {
    const page = await openRecorded('/sounds');
    await play(page, '静かな雨 40');
    await repeat(page);
    await expect.poll(() => isMuted(page)).toBe(true);
    await play(page, '静かな雨 37');
    await expect.poll(() => heardSec(page)).toBeGreaterThan(0.2);
    expect(await isMuted(page)).toBe(false);
    const samples = await countSamples(page);
    await expect.poll(() => heardSec(page)).toBeGreaterThan(0.7);
    expect(await countSamples(page)).toBeLessThan(samples + 12_000);
  });

  it('is repeated by the element if it cannot be decoded', async () => {
    const page = await openRecorded('/sounds', /EncodingError|Unable to decode/);
    await page.route('**/media/sounds/**', (route) =>
      route.request().resourceType() === 'fetch' ? route.fulfill({ body: 'no sound' }) : route.continue(),
    );
    const warned = page.waitForEvent('console');
    // Long enough to be playing still when it is set to repeat.
    await play(page, '静かな雨 40');
    await repeat(page);
    await warned;
    const sec = await heardSec(page);
    await expect.poll(() => heardSec(page)).toBeGreaterThan(sec + 1);
    expect(await isMuted(page)).toBe(false);
    expect(await listen(page, ({ audio }) => audio[0]?.paused)).toBe(false);
  });
});

it('other sounds are repeated without loading anything', async () => {
  const page = await openRecorded('/sounds');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.resourceType()));
  await play(page, '静かな雨 37');
  await player(page).waitFor();
  await waitForAnswers(page);
  loaded.length = 0;
  await repeat(page);
  await expect.poll(() => listen(page, ({ audio }) => audio[0]?.loop)).toBe(true);
  await waitForAnswers(page);
  expect(loaded.filter((type) => type !== 'media')).toEqual([]);
});
