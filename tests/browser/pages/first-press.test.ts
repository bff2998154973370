import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findFaults } from '../support/axe.ts';
import { openAsMember } from '../support/members.ts';
import { holdRequests, openWithoutScripts, useBrowser, waitForAnswers } from '../support/pages.ts';

const { open, newPage } = useBrowser();

/** A press is shown within this time on a page whose scripts have not arrived (threefold for a busy machine). */
const SHOWN_WITHIN_MS = 300;

/** Presses an element and waits in the page until it matches a selector. Returns the time that took, in milliseconds. */
function press(page: Page, selector: string, shown: string): Promise<number> {
  return page.evaluate(
    async ([selector, shown]) => {
      const element = document.querySelector<HTMLElement>(selector)!;
      const startedAt = performance.now();
      element.click();
      while (!element.matches(shown)) await new Promise(requestAnimationFrame);
      return performance.now() - startedAt;
    },
    [selector, shown] as const,
  );
}

const titles = (page: Page) => page.locator('[data-sound] [data-title]').allInnerTexts();
const count = (page: Page) => page.locator('[data-sound]').count();

/** The listings that a page asks for from now on. */
function watchFragments(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/fragments/sounds') asked.push(search);
  });
  return asked;
}

describe('the first press, before any script has loaded', () => {
  it('on a heart is shown at once and takes effect once', async () => {
    const page = await openAsMember(newPage(), undefined, '/robots.txt');
    const replies: unknown[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/toggle-favorite')) replies.push(await response.json());
    });
    const release = await openWithoutScripts(page, '/sounds');
    const heart = page.locator('.favorite').first();
    expect(await press(page, '[data-sound] .favorite', '[aria-busy=true]')).toBeLessThan(SHOWN_WITHIN_MS);
    release();
    await expect.poll(() => replies.length).toBe(1);
    await waitForAnswers(page);
    expect(replies).toHaveLength(1);
    const [{ is_favorited }] = replies as [{ is_favorited: boolean }];
    expect(await page.locator('[aria-busy]').count()).toBe(0);
    expect(await heart.getAttribute('aria-pressed')).toBe(String(is_favorited));
  });

  it('on a download is shown at once and opens one prompt', async () => {
    const page = await newPage();
    const release = await openWithoutScripts(page, '/sounds');
    const button = '[data-island=download] button';
    expect(await press(page, button, '[aria-busy=true]')).toBeLessThan(SHOWN_WITHIN_MS);
    await page.locator(button).first().click();
    release();
    await page.locator('dialog:modal').waitFor();
    await waitForAnswers(page);
    expect(await page.locator('dialog:modal').count()).toBe(1);
  });

  it('on a waveform plays from that place, and the player takes over', async () => {
    const page = await newPage();
    await page.addInitScript(() => {
      const { play } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.play = function watched() {
        Reflect.set(window, 'played', [...((Reflect.get(window, 'played') as unknown[]) ?? []), this]);
        return play.call(this);
      };
    });
    const release = await openWithoutScripts(page, '/sounds');
    const card = page.locator('[data-sound]', { hasText: '静かな雨 40' }).first();
    const seconds = Number(await card.getAttribute('data-duration-ms')) / 1000;
    const wave = card.locator('[data-island=wave]');
    const { width = 0 } = (await wave.boundingBox()) ?? {};
    await wave.click({ position: { x: width / 2, y: 10 } });
    expect(await card.locator('[data-play]').getAttribute('aria-label')).toMatch(/を一時停止$/);
    const readStart = () =>
      page.evaluate(() =>
        (Reflect.get(window, 'played') as HTMLAudioElement[]).map((audio) => audio.currentTime),
      );
    const [start = 0] = await readStart();
    expect(start).toBeGreaterThanOrEqual(seconds * 0.45);
    release();
    const slider = card.getByRole('slider');
    await slider.waitFor();
    expect(Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(
      Math.floor(seconds * 0.45),
    );
    expect(await readStart()).toHaveLength(1);
  });

  it('on もっと見る is shown at once, asks once, and appends one page in place', async () => {
    const page = await newPage();
    const asked = watchFragments(page);
    const release = await openWithoutScripts(page, '/sounds');
    const first = await page.locator('[data-sound]').first().elementHandle();
    expect(await press(page, '#more', '[aria-busy=true]')).toBeLessThan(SHOWN_WITHIN_MS);
    await page.locator('#more').click();
    expect(page.url()).toMatch(/\/sounds$/);
    release();
    await expect.poll(() => count(page)).toBe(40);
    await waitForAnswers(page);
    expect(asked).toHaveLength(1);
    expect(await count(page)).toBe(40);
    expect(new URL(page.url()).search).toBe('?to=2');
    expect(await first?.evaluate((card) => card.isConnected)).toBe(true);
    expect(await page.locator('#more').getAttribute('aria-busy')).toBeNull();
  });

  it('on a filter loads the filtered page once', async () => {
    const page = await newPage();
    const release = await openWithoutScripts(page, '/sounds');
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(new URL(request.url()).search);
    });
    await page.getByRole('link', { name: 'BGM', exact: true }).click({ noWaitAfter: true });
    await page.waitForURL(/type=/, { waitUntil: 'commit' });
    release();
    await page.getByRole('link', { name: 'BGMを外す' }).waitFor();
    expect(loads).toHaveLength(1);
  });
});

describe('text typed before any script has loaded', () => {
  it.each(['is still focused', 'was left'])('is searched for when the box %s', async (how) => {
    const page = await newPage();
    const release = await openWithoutScripts(page, '/sounds');
    const box = page.locator('#search');
    await box.fill('雨');
    if (how === 'was left') await box.blur();
    release();
    await page.getByRole('status').filter({ hasText: '「雨」の検索結果' }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('雨');
    expect(await box.inputValue()).toBe('雨');
    await page.goBack();
    await page.waitForURL(/\/sounds$/);
  });

  it('is searched for when the box hydrates late', async () => {
    const page = await newPage();
    const release = await holdRequests(page, '**/_astro/SearchBox*.js');
    await page.goto('/sounds');
    const box = page.locator('#search');
    const asked = page.waitForRequest(/SearchBox/);
    await box.fill('雨');
    await asked;
    release();
    await page.getByRole('status').filter({ hasText: '「雨」の検索結果' }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('雨');
  });

  it('is searched for once by Enter, also when the scripts arrive before the page', async () => {
    const page = await newPage();
    const releaseScripts = await openWithoutScripts(page, '/sounds');
    const releasePage = await holdRequests(page, '**/sounds?*');
    const box = page.locator('#search');
    await box.fill('雨');
    await box.press('Enter', { noWaitAfter: true });
    const arrived = page.waitForResponse(/_astro\/catalogue/);
    releaseScripts();
    await arrived;
    releasePage();
    await page.getByRole('status').filter({ hasText: '「雨」の検索結果' }).waitFor();
    await page.goBack();
    await page.waitForURL(/\/sounds$/);
  });
});

describe('もっと見る', () => {
  it('asks for its page once, however long the pointer or the focus was on it before', async () => {
    const page = await open('/sounds');
    const asked = watchFragments(page);
    const more = page.locator('#more');
    await more.hover();
    await more.focus();
    // The router is there.
    await page.waitForFunction(() => onpopstate === null);
    // The timer of a prefetch, of 50 ms, runs before one that begins later.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
    expect(asked).toEqual([]);
    await more.click();
    await expect.poll(() => count(page)).toBe(40);
    await waitForAnswers(page);
    expect(asked).toEqual(['?to=2&more=1']);
  });
});

describe('a list that a script replaces', () => {
  it('keeps the search box and a composition in it, and the sound that plays', async () => {
    const page = await open('/sounds');
    await page.locator('[data-play]').first().click();
    const player = page.getByRole('region', { name: 'プレーヤー' });
    await player.getByRole('button', { name: '一時停止' }).waitFor();
    const title = await player.locator('.player-title').innerText();
    const box = page.locator('#search');
    await box.evaluate((input) => Reflect.set(window, 'box', input));
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/fragments/sounds?*', async (route) => {
      await answered;
      await route.continue();
    });
    await box.fill('雨');
    await page.waitForRequest(/fragments/);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.imeSetComposition', { text: 'の', selectionStart: 1, selectionEnd: 1 });
    answer();
    await page.getByRole('status').filter({ hasText: '「雨」の検索結果' }).waitFor();
    expect(await box.inputValue()).toBe('雨の');
    await cdp.send('Input.insertText', { text: '音' });
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('雨音');
    expect(await box.evaluate((input) => Reflect.get(window, 'box') === input)).toBe(true);
    expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await player.locator('.player-title').innerText()).toBe(title);
    expect(await player.getByRole('button', { name: '一時停止' }).isVisible()).toBe(true);
  });

  it('is restored with position and focus through ten lists, back and forward', async () => {
    const page = await open('/sounds');
    await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
    const filters = page.getByRole('navigation', { name: '絞り込み' });
    const states: { url: string; titles: string[]; y: number; focus: string }[] = [];
    const read = async () => ({
      url: page.url(),
      titles: await titles(page),
      y: await page.evaluate(() => Math.round(scrollY)),
      focus: await page.evaluate(() => document.activeElement?.id ?? ''),
    });
    const chips = [
      'BGM',
      '効果音',
      // Beside these is a count, unless they are chosen.
      /^AI不使用/,
      /^戦闘/,
      /^切ない/,
      /^切ない/,
      /^戦闘/,
      /^明るい/,
      /^明るい/,
      'BGM',
    ];
    for (const [index, name] of chips.entries()) {
      await page.evaluate((y) => scrollTo(0, y), 40 + index * 10);
      await expect
        .poll(() => page.evaluate(() => (history.state as { scrollY: number }).scrollY))
        .toBe(await page.evaluate(() => scrollY));
      const chip = filters.getByRole('link', { name, exact: true });
      await chip.evaluate((link: HTMLElement) => link.focus({ preventScroll: true }));
      states.push(await read());
      const { url } = states.at(-1)!;
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).not.toBe(url);
      await waitForAnswers(page);
    }
    const last = await read();
    for (const state of states.toReversed()) {
      await page.goBack();
      await expect.poll(read).toEqual(state);
    }
    for (const state of states.slice(1)) {
      await page.goForward();
      await expect.poll(read).toEqual(state);
    }
    await page.goForward();
    await expect.poll(read).toMatchObject({ url: last.url, titles: last.titles });
    expect(await page.evaluate(() => Reflect.get(window, 'sameDocument'))).toBe(true);
  });

  it('has no fault that axe finds, nor a second announcer', async () => {
    const page = await open('/sounds');
    for (const name of ['効果音', 'BGM']) {
      await page
        .getByRole('navigation', { name: '絞り込み' })
        .getByRole('link', { name, exact: true })
        .click();
      await page.getByRole('link', { name: `${name}を外す` }).waitFor();
      await waitForAnswers(page);
    }
    await page.locator('#more:not(p)').click();
    await expect.poll(() => count(page)).toBeGreaterThan(20);
    expect(await findFaults(page)).toEqual([]);
    expect(await page.locator('.astro-route-announcer').count()).toBeLessThanOrEqual(1);
  });
});
