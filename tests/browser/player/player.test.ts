import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { holdRequests, useBrowser, visit } from '../support/pages.ts';

const { open, newPage } = useBrowser();

const card = (page: Page, title: string) => page.locator('[data-sound]', { hasText: title }).first();
const play = (page: Page, title: string) => card(page, title).locator('[data-play]').click();
const player = (page: Page) => page.getByRole('region', { name: 'プレーヤー' });

/** The only audio element. It is not in the document, so every created element is recorded. */
async function watchAudio(page: Page) {
  await page.addInitScript(() => {
    const made: HTMLAudioElement[] = [];
    Reflect.set(window, 'madeAudio', made);
    window.Audio = new Proxy(window.Audio, {
      construct(target, args: [string?]) {
        const audio = new target(...args);
        made.push(audio);
        return audio;
      },
    });
  });
  return () =>
    page.evaluate(() =>
      (Reflect.get(window, 'madeAudio') as HTMLAudioElement[]).map((audio) => ({
        src: audio.src,
        paused: audio.paused,
        sec: audio.currentTime,
        volume: audio.volume,
      })),
    );
}

/** What is visible of the player: its controls with their names, and its texts without one. */
function measureControls(bar: Element) {
  const round = (element: Element) => {
    const { left, right, top, bottom, height } = element.getBoundingClientRect();
    return { left, right, top, bottom, height };
  };
  const parts = bar.querySelectorAll('button, input, [role=slider], .tabular, .player-art, .player-title');
  return {
    bar: round(bar),
    controls: [...parts]
      .filter((part) => part.checkVisibility())
      .map((part) => ({ name: part.getAttribute('aria-label') ?? '', ...round(part) })),
  };
}

async function openWatched(path: string, options = {}) {
  const page = await newPage(options);
  const listAudio = await watchAudio(page);
  await visit(page, path);
  const audio = async () => (await listAudio())[0]!;
  return { page, audio, listAudio };
}

describe('the player', () => {
  it('plays what is pressed and shows it in the bar and on the card', async () => {
    const { page, audio } = await openWatched('/sounds');
    await play(page, '静かな雨 40');
    await expect.poll(async () => (await audio()).sec).toBeGreaterThan(0.3);
    expect(await player(page).innerText()).toContain('静かな雨 40');
    const button = card(page, '静かな雨 40').locator('[data-play]');
    expect(await button.getAttribute('aria-label')).toBe('静かな雨 40を一時停止');
    await button.click();
    await expect.poll(() => button.getAttribute('aria-label')).toBe('静かな雨 40を再生');
    expect((await audio()).paused).toBe(true);
  });

  it('plays without a gap, with one audio element, across five navigations and Back', async () => {
    const { page, audio, listAudio } = await openWatched('/sounds');
    await play(page, '静かな雨 40');
    await expect.poll(async () => (await audio()).sec).toBeGreaterThan(0.2);
    await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
    const ways: (() => Promise<unknown>)[] = [
      () => page.locator('.navbar-logo').click(),
      () => page.getByRole('link', { name: '会員規約' }).click(),
      () => page.getByRole('link', { name: 'このサイトについて' }).click(),
      () => page.getByRole('link', { name: 'サウンド', exact: true }).click(),
      () => card(page, '最新の戦闘音').getByRole('link', { name: '最新の戦闘音' }).click(),
      () => page.goBack(),
    ];
    for (const way of ways) {
      const before = (await audio()).sec;
      const url = page.url();
      await way();
      await expect.poll(() => page.url()).not.toBe(url);
      await expect.poll(async () => (await audio()).sec).toBeGreaterThan(before + 0.2);
      expect((await audio()).paused).toBe(false);
      expect(await player(page).isVisible()).toBe(true);
    }
    expect(await listAudio()).toHaveLength(1);
    expect(await page.evaluate(() => Reflect.get(window, 'sameDocument'))).toBe(true);
  });

  it('responds to a press before any island has hydrated, and the island takes over', async () => {
    const page = await newPage();
    const listAudio = await watchAudio(page);
    const release = await holdRequests(page, '**/_astro/*.js');
    await page.goto('/sounds', { waitUntil: 'commit' });
    await page.locator('[data-play]').nth(2).waitFor();
    await play(page, '静かな雨 40');
    await expect.poll(async () => (await listAudio())[0]?.sec).toBeGreaterThan(0.2);
    expect(await player(page).count()).toBe(0);
    release();
    await player(page).waitFor();
    expect(await player(page).getByRole('button', { name: '一時停止' }).isVisible()).toBe(true);
    expect(await listAudio()).toHaveLength(1);
    await player(page).getByRole('button', { name: '一時停止' }).click();
    expect((await listAudio())[0]?.paused).toBe(true);
  });

  it('plays a measured sound at the common loudness from its first press on, unless that is switched off', async () => {
    const page = await newPage();
    const listAudio = await watchAudio(page);
    const release = await holdRequests(page, '**/_astro/*.js');
    await page.goto('/sounds', { waitUntil: 'commit' });
    await page.locator('[data-play]').nth(2).waitFor();
    await card(page, '静かな雨 40').evaluate((element: HTMLElement) => (element.dataset['gain'] = '0.5'));
    await play(page, '静かな雨 40');
    await expect.poll(async () => (await listAudio())[0]?.sec).toBeGreaterThan(0.1);
    expect((await listAudio())[0]?.volume).toBe(0.5);
    release();
    const toggle = player(page).getByRole('button', { name: '音量をそろえる' });
    await toggle.waitFor();
    expect(await toggle.getAttribute('aria-pressed')).toBe('true');
    expect((await listAudio())[0]?.volume).toBe(0.5);
    await toggle.click();
    await expect.poll(async () => (await listAudio())[0]?.volume).toBe(1);
    await page.reload();
    await card(page, '静かな雨 40').evaluate((element: HTMLElement) => (element.dataset['gain'] = '0.5'));
    await play(page, '静かな雨 40');
    await expect.poll(async () => (await listAudio())[0]?.sec).toBeGreaterThan(0.1);
    expect((await listAudio())[0]?.volume).toBe(1);
  });

  it('responds to space, arrows, N and P, but not while typing', async () => {
    const { page, audio } = await openWatched('/sounds');
    await play(page, '静かな雨 40');
    await expect.poll(async () => (await audio()).sec).toBeGreaterThan(0.1);
    await page.locator('h1').click();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await audio()).sec).toBeGreaterThan(5);
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await audio()).volume).toBeCloseTo(0.9);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press(' ');
    await expect.poll(async () => (await audio()).paused).toBe(true);
    await page.keyboard.press('n');
    await expect.poll(() => player(page).innerText()).not.toContain('静かな雨 40');
    await page.keyboard.press('p');
    await expect.poll(() => player(page).innerText()).toContain('静かな雨 40');
    await page.keyboard.press('/');
    await page.keyboard.type('n p d');
    expect(await page.locator('#search').inputValue()).toBe('n p d');
    expect(await player(page).innerText()).toContain('静かな雨 40');
  });

  it('seeks on the waveform by mouse and by keys, and announces the time', async () => {
    const { page, audio } = await openWatched('/sounds');
    await play(page, '静かな雨 40');
    const slider = card(page, '静かな雨 40').getByRole('slider');
    await slider.waitFor();
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect.poll(async () => (await audio()).sec).toBeGreaterThan(9);
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await audio()).sec).toBeLessThan(2);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^[5-8]秒 \/ 20秒$/);
  });

  it.each(['消えたファイル', '壊れたファイル'])(
    'shows a failed file on the card and in the bar (%s), and continues',
    async (title) => {
      const { page, audio } = await openWatched('/sounds', { allow: /Failed to load resource.*40[04]/ });
      await play(page, title);
      await card(page, title).getByText('再生できませんでした').waitFor();
      await expect.poll(async () => (await audio()).sec, { timeout: 15_000 }).toBeGreaterThan(0.1);
      expect(await player(page).innerText()).not.toContain(title);
    },
  );

  it('restores position, volume and queue after a reload, and waits for a press', async () => {
    const { page, audio } = await openWatched('/sounds');
    await play(page, '静かな雨 40');
    await expect.poll(async () => (await audio()).sec).toBeGreaterThan(0.1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate(() => Number(localStorage.getItem('player:position'))))
      .toBeGreaterThan(5);
    await page.reload();
    await player(page).waitFor();
    expect((await audio()).paused).toBe(true);
    await player(page).getByRole('button', { name: '再生' }).click();
    await expect.poll(async () => (await audio()).sec).toBeGreaterThan(5);
    expect((await audio()).volume).toBeCloseTo(0.9);
  });

  it('is stacked up to 768 px and one row above, and has space for each control at every width', async () => {
    const { page } = await openWatched('/sounds');
    await play(page, '静かな雨 40');
    await player(page).waitFor();
    const steps = Array.from({ length: 113 }, (_, index) => 320 + index * 10);
    for (const width of [...steps, 768, 769].sort((one, other) => one - other)) {
      await page.setViewportSize({ width, height: 900 });
      const { bar, controls } = await player(page).evaluate(measureControls);
      const sizes = JSON.stringify(controls);
      expect(bar.height > 100, `${width}: ${bar.height} px`).toBe(width <= 768);
      expect(
        controls.some(({ name }) => name === 'プレーヤーを閉じる'),
        `${width}`,
      ).toBe(width > 768);
      const line = controls.find(({ name }) => name.endsWith('再生位置'))!;
      expect(line.right - line.left, `${width}`).toBeGreaterThanOrEqual(width > 768 ? 160 : 120);
      for (const one of controls) {
        const isText = one.name === '';
        expect(one.left, `${width} ${sizes}`).toBeGreaterThanOrEqual(0);
        expect(one.right, `${width} ${sizes}`).toBeLessThanOrEqual(width);
        expect(one.bottom, `${width} ${sizes}`).toBeLessThanOrEqual(bar.bottom + 1);
        if (isText) continue;
        expect(one.right - one.left, `${width} ${one.name}`).toBeGreaterThanOrEqual(44);
        expect(one.bottom - one.top, `${width} ${one.name}`).toBeGreaterThanOrEqual(44);
      }
      const overlaps = controls.flatMap((one, index) =>
        controls
          .slice(index + 1)
          .filter(
            (other) =>
              one.left < other.right - 0.5 &&
              other.left < one.right - 0.5 &&
              one.top < other.bottom - 0.5 &&
              other.top < one.bottom - 0.5,
          )
          .map((other) => [one.name, other.name]),
      );
      expect(overlaps, `${width}`).toEqual([]);
    }
  });

  it('is closed from a menu where it is stacked, which also evens the volume', async () => {
    const { page } = await openWatched('/sounds', { width: 320, height: 568 });
    await play(page, '静かな雨 40');
    const more = player(page).getByRole('button', { name: 'プレーヤーのメニュー' });
    await more.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const level = player(page).getByRole('button', { name: '音量をそろえる' });
    expect(await level.getAttribute('aria-pressed')).toBe('false');
    const close = player(page).getByRole('button', { name: 'プレーヤーを閉じる' });
    for (const button of [level, close]) {
      const box = (await button.boundingBox())!;
      expect(box.height).toBeGreaterThanOrEqual(44);
      expect(box.x + box.width).toBeLessThanOrEqual(320);
      expect(box.y + box.height).toBeLessThanOrEqual((await player(page).boundingBox())!.y);
    }
    await expectAccessible(page, '#player', [320]);
    await page.keyboard.press('Escape');
    expect(await close.isVisible()).toBe(false);
    await more.click();
    await close.click();
    await expect.poll(() => player(page).count()).toBe(0);
  });

  it('sets the lock screen metadata', async () => {
    const { page } = await openWatched('/sounds');
    await play(page, '最新の戦闘音');
    await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('最新の戦闘音');
  });

  it('focuses the search box on /, also from a page without one', async () => {
    const page = await open('/member-terms');
    await page.keyboard.press('/');
    await page.waitForURL('**/sounds');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.keyboard.type('雨');
    expect(await page.locator('#search').inputValue()).toBe('雨');
  });

  it('shows the keyboard shortcuts on ? and returns focus', async () => {
    const page = await open('/member-terms');
    await page.getByRole('link', { name: 'サウンド', exact: true }).focus();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'キーボード操作' });
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => sheet.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('サウンド');
  });
});
