import { By } from 'selenium-webdriver';
import { describe, expect, it } from 'vitest';
import { useOwnSite } from '../../browser/support/sites.ts';
import { recordPeak } from '../null-sink.ts';
import { type Window, find, named, press, pressAt, readText, useWebkit, waitUntilGone } from './webkit.ts';

const site = useOwnSite();
const { open } = useWebkit(() => site.url);

/** The loudest sample that a person hears of these tones; they reach 0.2. */
const AUDIBLE = 0.02;
const listen = () => recordPeak(500);
const menu = By.css('#player-menu');
const player = By.css('#player');
/** The position in seconds that the bar shows. */
async function readSec(window: Window): Promise<number> {
  const [minutes = 0, sec = 0] = (await readText(window, By.css('#player .tabular'))).split(':').map(Number);
  return minutes * 60 + sec;
}

describe('in WebKit, the player', () => {
  it('plays audibly from a card, plays the next sound, and continues on another page', async () => {
    const window = await open('/sounds', { width: 1440 });
    expect(await listen()).toBe(0);
    await press(window, named('静かな雨 40を再生'));
    await expect.poll(listen).toBeGreaterThan(AUDIBLE);
    await find(window, named('静かな雨 40を一時停止'));
    expect(await readText(window, player)).toContain('静かな雨 40');
    await press(window, named('次のサウンド'));
    await find(window, named('決定音 39を一時停止'));
    await press(window, named('次のサウンド'));
    await find(window, named('静かな雨 38を一時停止'));
    await expect.poll(listen).toBeGreaterThan(AUDIBLE);
    await press(window, named('会員規約'));
    await find(window, By.xpath('//h1[contains(., "会員規約")]'));
    const sec = await readSec(window);
    await expect.poll(() => readSec(window)).toBeGreaterThan(sec);
    expect(await listen()).toBeGreaterThan(AUDIBLE);
    expect(await readText(window, player)).toContain('静かな雨 38');
    await press(window, named('一時停止'));
    await find(window, named('再生', 'section'));
    await expect.poll(listen).toBe(0);
  });

  it('is paused at its position after Back from another document, and plays on from there', async () => {
    const window = await open('/sounds', { width: 768 });
    await press(window, named('静かな雨 40を再生'));
    await expect.poll(() => readSec(window)).toBeGreaterThanOrEqual(3);
    await window.driver.executeScript('window.isSameDocument = true');
    const sec = await readSec(window);
    await window.visit('/api/docs');
    await expect.poll(listen).toBe(0);
    await window.driver.navigate().back();
    // From the back/forward cache.
    expect(await window.driver.executeScript('return window.isSameDocument')).toBe(true);
    await find(window, named('再生', 'section'));
    await find(window, named('静かな雨 40を再生'));
    expect(await listen()).toBe(0);
    const kept = await readSec(window);
    expect(kept - sec).toBeGreaterThanOrEqual(-1);
    expect(kept - sec).toBeLessThanOrEqual(2);
    await press(window, named('再生', 'section'));
    await expect.poll(listen).toBeGreaterThan(AUDIBLE);
    await find(window, named('静かな雨 40を一時停止'));
    expect(await readSec(window)).toBeGreaterThanOrEqual(kept);
  });

  it('closes its menu at 320 px by a press outside of it', async () => {
    const window = await open('/sounds', { width: 320 });
    await press(window, named('最新の戦闘音を再生'));
    await press(window, named('プレーヤーのメニュー'));
    await find(window, menu);
    await pressAt(window, 160, 150);
    await waitUntilGone(window, menu);
    expect(new URL(await window.driver.getCurrentUrl()).pathname).toBe('/sounds');
    await press(window, named('プレーヤーのメニュー'));
    await press(window, named('プレーヤーを閉じる'));
    await waitUntilGone(window, player);
  });
});
