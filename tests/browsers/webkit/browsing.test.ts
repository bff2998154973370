import { By, Key } from 'selenium-webdriver';
import { describe, expect, it } from 'vitest';
import { prepareLine } from './line.ts';
import {
  type Window,
  find,
  named,
  press,
  pressKeys,
  type,
  useWebkit,
  waitUntilGone,
  withText,
  readValue,
} from './webkit.ts';

const { getLine } = prepareLine();
const { open } = useWebkit(() => getLine().url);

/** What the console says of a lost connection, and the shell of the script that it could not load. */
const LOST = /Failed to load resource|access control checks|CONSOLE WARN Error: \S+\.js$/;
const searchBox = By.css('#search');
const path = async ({ driver }: Window) => {
  const { pathname, search } = new URL(await driver.getCurrentUrl());
  return decodeURIComponent(pathname + search);
};

/** Nothing is cut off at the side, and the page does not scroll sideways. */
async function expectNoSideways({ driver }: Window): Promise<void> {
  const [scrolled, inner] = await driver.executeScript<number[]>(() => {
    scrollTo(500, scrollY);
    const { scrollX } = window;
    scrollTo(0, scrollY);
    return [scrollX, innerWidth];
  });
  expect([scrolled, inner], await driver.getCurrentUrl()).toEqual([0, 320]);
}

describe('in WebKit, a visitor', () => {
  it('goes from home to the list, a sound and its artist at 320 px, without scrolling sideways', async () => {
    const window = await open('/', { width: 320 });
    await find(window, withText('その場面に、ぴったりの音を。'));
    await expectNoSideways(window);
    await press(window, named('サウンド', 'nav'));
    await expect.poll(() => path(window)).toBe('/sounds');
    await find(window, By.css('[data-sound]'));
    await expectNoSideways(window);
    await press(window, named('静かな雨 40'));
    await expect.poll(() => path(window)).toMatch(/^\/sounds\/./);
    await find(window, By.xpath('//h1[normalize-space()="静かな雨 40"]'));
    await expectNoSideways(window);
    await press(window, By.css('main a[href="/artist/bare_artist"]'));
    await expect.poll(() => path(window)).toBe('/artist/bare_artist');
    await find(window, By.xpath('//h1[contains(., "bare_artist")]'));
    await expectNoSideways(window);
  });

  it('completes a search by keyboard, and Back shows what was there before', async () => {
    const window = await open('/sounds', { width: 1440 });
    await find(window, withText('46件'));
    await type(window, searchBox, 'せんとう');
    await find(window, By.xpath('//*[@role="option"][normalize-space()="戦闘"]'));
    await pressKeys(window, Key.ARROW_DOWN);
    await pressKeys(window, Key.ENTER);
    await expect.poll(() => path(window)).toBe('/sounds?search=戦闘');
    await find(window, withText('「戦闘」の検索結果'));
    await press(window, named('最新の戦闘音'));
    await find(window, By.xpath('//h1[normalize-space()="最新の戦闘音"]'));
    await window.driver.navigate().back();
    await find(window, withText('「戦闘」の検索結果'));
    expect(await readValue(window, searchBox)).toBe('戦闘');
    // The list has followed the typing.
    await window.driver.navigate().back();
    await find(window, withText('「せんとう」の検索結果'));
    await window.driver.navigate().back();
    await find(window, withText('46件'));
    expect(await readValue(window, searchBox)).toBe('');
  });

  it('sees a light or a dark page, hears of a lost connection, and can read without JavaScript', async () => {
    const paper = ({ driver }: Window) =>
      driver.executeScript<string>('return getComputedStyle(document.documentElement).backgroundColor');
    const light = await open('/sounds', { width: 768, allow: LOST });
    expect(await paper(light)).toBe('rgb(250, 248, 244)');
    const dark = await open('/sounds', { width: 768, isDark: true });
    expect(await paper(dark)).toBe('rgb(21, 20, 18)');

    const offline = withText('通信できないため、ページの一部を読み込めませんでした。');
    await find(light, By.css('[data-sound]'));
    getLine().cut();
    await press(light, named('最新の戦闘音をダウンロード'));
    await find(light, offline);
    getLine().mend();
    await press(light, named('最新の戦闘音をダウンロード'));
    await waitUntilGone(light, offline);
    await find(light, withText('広告閲覧後、無料でダウンロードされます。'));

    const plain = await open('/sounds', { width: 768, hasScripts: false });
    await find(plain, withText('再生とダウンロードには、JavaScriptを有効にしてください。'));
    await type(plain, searchBox, '戦闘', Key.ENTER);
    await find(plain, withText('「戦闘」の検索結果'));
    await press(plain, named('最新の戦闘音'));
    await find(plain, By.xpath('//h1[normalize-space()="最新の戦闘音"]'));
  });
});
