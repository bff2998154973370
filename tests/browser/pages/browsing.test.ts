import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LONG_TITLE, MARKUP_TITLE } from '../support/catalogue.ts';
import { agree, closeAlert, pressDownload } from '../support/notices.ts';
import { answerRequests, useBrowser, waitForAnswers } from '../support/pages.ts';

const { open } = useBrowser();

const titles = (page: Page) => page.locator('[data-sound] [data-title]').allInnerTexts();
const count = (page: Page) => page.locator('[data-sound]').count();

describe('search on /sounds', () => {
  it('shows results while typing, keeps focus and scroll, and updates the URL', async () => {
    const page = await open('/sounds');
    const input = page.locator('#search');
    expect(await input.getAttribute('placeholder')).toBe('サウンドを検索');
    expect((await input.boundingBox())!.width).toBe(575);
    await input.focus();
    await page.keyboard.type('戦闘');
    await expect.poll(() => titles(page)).toContain('最新の戦闘音');
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('戦闘');
    await expect.poll(() => page.getByRole('status').first().innerText()).toContain('「戦闘」の検索結果');
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await input.inputValue()).toBe('戦闘');
  });

  it('shows the same list, by relevance, when its URL is opened', async () => {
    const page = await open('/sounds?search=雨');
    const typed = await titles(page);
    expect(typed.length).toBeGreaterThan(5);
    await page.reload();
    expect(await titles(page)).toEqual(typed);
    expect(await page.getByRole('link', { name: '関連度順' }).getAttribute('aria-current')).toBe('true');
  });

  it('does not search during kana composition, and searches at once on Enter', async () => {
    const page = await open('/sounds');
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/fragments/sounds') asked.push(url.searchParams.get('search') ?? '');
    });
    await page.getByRole('searchbox').focus();
    await page.clock.install();
    const cdp = await page.context().newCDPSession(page);
    for (const text of ['ｓ', 'せ', 'せｎ', 'せん', 'せんｔ', 'せんと', 'せんとう']) {
      await cdp.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
      // Longer than typing takes to settle.
      await page.clock.fastForward(200);
    }
    await cdp.send('Input.insertText', { text: '戦闘' });
    await page.keyboard.press('Enter');
    await expect.poll(() => asked.at(-1)).toBe('戦闘');
    await expect.poll(() => titles(page)).toContain('最新の戦闘音');
    expect(asked).toEqual(['戦闘']);
  });

  it('finds kanji by their reading, and leaves out what is excluded', async () => {
    const page = await open('/sounds?search=せんとうおん');
    expect(await titles(page)).toContain('最新の戦闘音');
    await page.getByRole('searchbox').fill('せんとうおん -最新');
    await expect.poll(() => titles(page)).not.toContain('最新の戦闘音');
  });

  it('offers to remove one of several conditions when nothing has them all', async () => {
    const page = await open('/sounds?search=ありえない言葉&type=1');
    await page.getByText('「ありえない言葉」・BGMで探しました。条件を1つ外すと').waitFor();
    await page.getByRole('link', { name: '「ありえない言葉」を外して探す' }).click();
    await expect.poll(() => count(page)).toBe(20);
    expect(page.url()).toMatch(/\/sounds\?type=1$/);
  });

  it.each([
    ['search=ありえない言葉', 'ほかの言葉でお試しください。'],
    ['search="ありえない言葉"', '引用符を外すと、近い言葉や読みでも探します。'],
    ['search=ありえない -言葉', '「-」で除いた言葉を外すと、見つかるかもしれません。'],
    ['length=300-', 'この条件に合うサウンドは、まだありません。'],
  ])('mentions no further condition where %s is the only one', async (query, advice) => {
    const page = await open(`/sounds?${query}`);
    expect(await page.getByRole('heading', { level: 2, name: /見つかりませんでした/ }).isVisible()).toBe(
      true,
    );
    await page.getByText(advice, { exact: true }).waitFor();
    expect(await page.locator('#cards').innerText()).not.toContain('条件を1つ外す');
    await page.getByRole('link', { name: 'すべてのサウンドを見る' }).click();
    await expect.poll(() => count(page)).toBe(20);
    expect(page.url()).toMatch(/\/sounds$/);
  });

  it('works with a form and links without script', async () => {
    const page = await open('/sounds', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('決定音');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=/);
    expect((await titles(page)).every((title) => title.includes('決定音'))).toBe(true);
    await page.getByRole('link', { name: 'お気に入り数順' }).click();
    await page.waitForURL(/ordering=-favorites/);
    await page.goto('/sounds');
    await page.getByRole('link', { name: 'もっと見る' }).click();
    await page.waitForURL(/to=2/);
    expect(await count(page)).toBe(40);
  });
});

describe('filters on /sounds', () => {
  it('combine, show the active ones, can be removed one by one, and are in the URL', async () => {
    const page = await open('/sounds');
    const filters = page.getByRole('navigation', { name: '絞り込み' });
    await filters.getByRole('link', { name: '効果音', exact: true }).click();
    await page.waitForURL(/type=/);
    await filters.getByRole('link', { name: /^戦闘/ }).click();
    await page.waitForURL(/sub_genres=/);
    const both = await titles(page);
    expect(both.length).toBeGreaterThan(0);
    expect(await page.getByRole('list', { name: '選択中の条件' }).innerText()).toContain('戦闘');
    await page.getByRole('link', { name: '効果音を外す' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('type')).toBe(false);
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual(both);
    await page.getByRole('link', { name: 'すべて外す' }).click();
    await expect.poll(() => page.url()).toMatch(/\/sounds$/);
  });

  it('appends more sounds to the list, and Back restores the list and the position', async () => {
    const page = await open('/sounds');
    await page.getByRole('link', { name: 'もっと見る' }).click();
    await expect.poll(() => count(page)).toBe(40);
    expect(page.url()).toContain('to=2');
    const link = page.locator('[data-sound] [data-title]').nth(33);
    await link.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    await link.click();
    await page.waitForURL(/\/sounds\/\w+$/);
    await page.goBack();
    await expect.poll(() => count(page)).toBe(40);
    await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThan(4);
  });

  it.each(['type=nope', 'sub_genres=zzz'])(
    'show an empty result for %s and offer all sounds',
    async (query) => {
      const page = await open(`/sounds?${query}`);
      expect(await count(page)).toBe(0);
      await page.getByRole('link', { name: 'すべてのサウンドを見る' }).click();
      await expect.poll(() => count(page)).toBe(20);
    },
  );

  it.each([true, false])(
    'end in a link to the results on a narrow screen, with script: %s',
    async (javaScriptEnabled) => {
      const page = await open('/sounds', { width: 390, javaScriptEnabled });
      const panel = page.locator('#filters');
      await panel.getByText('絞り込み').first().click();
      await panel.getByRole('link', { name: 'BGM' }).click();
      await page.waitForURL(/type=1/);
      if (!javaScriptEnabled) await panel.getByText('絞り込み').first().click();
      const results = panel.getByRole('link', { name: /件を表示$/ });
      const found = await page.locator('#result-count').innerText();
      await expect.poll(() => results.innerText()).toBe(`${found}を表示`);
      await results.click();
      await expect
        .poll(() => page.locator('#results').evaluate((each) => Math.abs(each.getBoundingClientRect().top)))
        .toBeLessThan(2);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('results');
    },
  );

  it('show how many sounds each genre would leave, and no link to the results beside them', async () => {
    const page = await open('/sounds?type=1');
    expect(await page.locator('#show-results').isVisible()).toBe(false);
    const chip = page.getByRole('region', { name: 'ムード' }).getByRole('link', { name: '切ない' });
    const counted = await chip.locator('.chip-count').innerText();
    await chip.click();
    await expect.poll(() => page.locator('#result-count').innerText()).toBe(`${counted}件`);
    expect(await chip.locator('.chip-count').count()).toBe(0);
  });

  it('keep the panel open and the focus on the pressed control, on a narrow screen', async () => {
    const page = await open('/sounds', { width: 390 });
    await page.getByText('絞り込み').first().click();
    const chip = page.getByRole('region', { name: 'ムード' }).getByRole('link', { name: '切ない' });
    await chip.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/sub_genres=/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('切ない');
    expect(await chip.isVisible()).toBe(true);
    expect(await chip.getAttribute('aria-current')).toBe('true');
  });
});

describe('a sound', () => {
  it('downloads once for a double press, with the correct name and the bytes of its file', async () => {
    const page = await open('/sounds?search=最新の戦闘音');
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST')
        posts.push(new URL(request.url()).pathname + new URL(request.url()).search);
    });
    const arrival = page.waitForEvent('download');
    await page.getByRole('button', { name: '最新の戦闘音をダウンロード' }).dblclick();
    await agree(page);
    const download = await arrival;
    expect(download.suggestedFilename()).toBe('最新の戦闘音 - 音の人.mp3');
    const bytes = await readFile(await download.path());
    expect(bytes.length).toBeGreaterThan(1000);
    expect(posts.map((post) => post.replace(/sounds\/\w+|intent=[\w-]+/g, ''))).toEqual([
      '/api//download-intents',
      '/api//download?log=false&&provider=none',
    ]);
  });

  const FAILED = /Failed to load resource|Failed to fetch the sound file\./;

  it('is not downloaded while its file cannot be read, and says so', async () => {
    const page = await open('/sounds?search=最新の戦闘音', { allow: FAILED });
    const json = { detail: 'ただいま混み合っています。もう一度お試しください。' };
    await answerRequests(page, '**/download?**', (route) => route.fulfill({ status: 503, json }));
    await pressDownload(page, '最新の戦闘音');
    await agree(page);
    await page.locator('[data-sonner-toast]').getByText('もう一度お試しください').waitFor();
    await expect.poll(() => page.locator('button[aria-busy]').count()).toBe(0);
  });

  it('only logs a failed download', async () => {
    const page = await open('/sounds?search=最新の戦闘音', { allow: FAILED });
    await answerRequests(page, '**/media/downloads/**', (route) => route.fulfill({ status: 500 }));
    const logged = page.waitForEvent('console', (message) =>
      message.text().startsWith('Failed to fetch the sound file.'),
    );
    await pressDownload(page, '最新の戦闘音');
    await agree(page);
    await logged;
    await closeAlert(page);
    await expect.poll(() => page.locator('button[aria-busy]').count()).toBe(0);
    expect(await page.locator('[data-sonner-toast]').count()).toBe(0);
  });

  it('copies its credit and confirms it for two seconds', async () => {
    const page = await open('/sounds?search=最新の戦闘音', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('link', { name: '最新の戦闘音', exact: true }).first().click();
    await page.getByRole('button', { name: 'コピー' }).click();
    await page.getByText('クレジットをコピーしました').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '「最新の戦闘音」 音の人(Otoichi)',
    );
    await page.getByText('クレジットをコピーしました').waitFor({ state: 'detached', timeout: 4000 });
  });

  it('escapes markup in its texts, and shows the longest title without breaking the layout', async () => {
    const page = await open('/sounds', { width: 320 });
    expect(await titles(page)).toEqual(expect.arrayContaining([MARKUP_TITLE, LONG_TITLE]));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByRole('link', { name: MARKUP_TITLE }).click();
    await page.waitForURL(/\/sounds\/\w+$/);
    expect(await page.locator('h1').innerText()).toBe(MARKUP_TITLE);
    await page.goto('/content/faq');
    expect(await page.evaluate(() => Reflect.get(window, '__xss'))).toBeUndefined();
    expect(await page.locator('main a[href^="javascript"], main script').count()).toBe(0);
  });
});

describe('the shell', () => {
  it.each(['/', '/sounds', '/member-terms', '/content/faq', '/nothing-here'])(
    'is rendered around %s',
    async (path) => {
      const page = await open(path, { allow: /404/ });
      expect(await page.getByRole('link', { name: 'ログイン' }).getAttribute('href')).toBe('/login');
      expect(await page.getByRole('link', { name: 'アップロード', exact: true }).getAttribute('href')).toBe(
        '/profile',
      );
      const footer = page.locator('footer');
      expect(await footer.innerText()).toContain('© 2024 Otoichi');
      expect(await footer.innerText()).toContain('version1.3');
      const links = await footer.getByRole('link').allInnerTexts();
      expect(links.indexOf('このサイトについて')).toBeLessThan(links.indexOf('よくある質問'));
      expect((await page.locator('main').boundingBox())!.width).toBeLessThanOrEqual(1440);
      expect(await page.locator('header input').count()).toBe(path === '/sounds' ? 1 : 0);
    },
  );

  it('shows Not Found with status 404 for a missing page', async () => {
    for (const path of [
      '/nothing',
      '/sounds/nothing',
      '/artist/nobody',
      `/artist/${'a'.repeat(200)}`,
      '/content/nothing',
    ]) {
      const page = await open(path, { allow: /404/ });
      expect((await page.request.get(path)).status()).toBe(404);
      expect(await page.locator('h1').innerText()).toBe('Not Found');
      expect(await page.title()).toBe('Otoichi');
    }
  });

  it('shows an artist with the image sizes of the spec, by type, and no private data', async () => {
    const page = await open('/artist/音の人');
    expect((await page.locator('main header > div').first().boundingBox())!.height).toBe(280);
    expect((await page.locator('.artist-picture').boundingBox())!.width).toBe(120);
    expect(await titles(page)).not.toContain('非公開の曲');
    await page.getByRole('navigation', { name: '種類' }).getByRole('link', { name: '効果音' }).click();
    await page.waitForURL(/type=/);
    expect((await titles(page)).some((title) => title.includes('静かな雨'))).toBe(false);
    expect(await page.content()).not.toContain('example.test');
  });

  it('shows one to four columns', async () => {
    const page = await open('/');
    for (const [width, columns] of [
      [320, 1],
      [600, 2],
      [900, 3],
      [1440, 4],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const tops = await page
        .locator('.sound-grid')
        .first()
        .locator('> li')
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
      expect(tops.filter((top) => top === tops[0])).toHaveLength(columns);
    }
  });

  it('shows a progress bar when a page takes over a second, for at least half a second (spec §9)', async () => {
    const page = await open('/');
    const watch = () =>
      page.evaluate(() => {
        const seen: { shownAt: number | null; hiddenAt: number | null } = { shownAt: null, hiddenAt: null };
        const began = performance.now();
        Reflect.set(window, 'bar', seen);
        const look = () => {
          const isShown = document.getElementById('progress')?.hidden === false;
          if (isShown) seen.shownAt ??= performance.now() - began;
          else if (seen.shownAt !== null) seen.hiddenAt ??= performance.now() - began;
          requestAnimationFrame(look);
        };
        look();
      });
    const bar = () =>
      page.evaluate(() => Reflect.get(window, 'bar') as { shownAt: number | null; hiddenAt: number | null });
    await page.route('**/member-terms', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await route.continue();
    });
    await watch();
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/member-terms"]')?.click());
    await page.waitForURL('**/member-terms');
    await expect.poll(async () => (await bar()).hiddenAt).not.toBeNull();
    const { shownAt, hiddenAt } = await bar();
    expect(shownAt).toBeGreaterThan(950);
    expect(hiddenAt! - shownAt!).toBeGreaterThan(450);
    await page.clock.install();
    await watch();
    await page.getByRole('link', { name: 'サウンド', exact: true }).click();
    await page.waitForURL('**/sounds');
    await page.clock.runFor(1200);
    expect((await bar()).shownAt).toBeNull();
  });

  it('is prefetched after the pointer has rested on a link, not before', async () => {
    const page = await open('/');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const link = page.getByRole('link', { name: '会員規約' });
    await link.scrollIntoViewIfNeeded();
    const fetched: string[] = [];
    page.on('requestfinished', (request) => fetched.push(new URL(request.url()).pathname));
    await page.getByRole('link', { name: 'プライバシーポリシー' }).hover();
    await expect.poll(() => fetched).toContain('/privacy-policy');
    expect(asked).not.toContain('/member-terms');
    await link.hover();
    await expect.poll(() => fetched).toContain('/member-terms');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Network.enable');
    const sources: boolean[] = [];
    cdp.on('Network.responseReceived', ({ response }) => {
      if (response.url.endsWith('/member-terms'))
        sources.push(Boolean(response.fromDiskCache || response.fromPrefetchCache));
    });
    await link.click();
    await page.waitForURL('**/member-terms');
    // The pointer rests on the same link of the new page, which may be prefetched as well.
    expect(sources[0]).toBe(true);
  });

  it('asks for no other size of a picture that the list has shown larger', async () => {
    const page = await open('/sounds', { width: 768 });
    const card = page.locator('[data-sound]', { has: page.locator('img[data-thumbnail]') }).first();
    const readShown = (picture: HTMLImageElement) => picture.complete && new URL(picture.currentSrc).pathname;
    await expect.poll(() => card.locator('img[data-thumbnail]').evaluate(readShown)).toMatch(/640\.webp$/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await card.getByRole('heading').getByRole('link').click();
    await page.waitForURL('**/sounds/*');
    const picture = page.locator('main article img[data-thumbnail]').first();
    await expect.poll(() => picture.evaluate(readShown)).toMatch(/\.webp$/);
    await waitForAnswers(page);
    expect(asked.filter((path) => path.endsWith('/320.webp'))).toEqual([]);
  });

  it('is prefetched as a fragment from one listing to another, and the click asks for nothing else', async () => {
    const page = await open('/sounds');
    const asked: string[] = [];
    const fetched: string[] = [];
    const toTarget = (url: string) => new URL(url).pathname + new URL(url).search;
    page.on('request', (request) => asked.push(toTarget(request.url())));
    page.on('requestfinished', (request) => fetched.push(toTarget(request.url())));
    const chip = page.getByRole('navigation', { name: '絞り込み' }).getByRole('link', { name: 'BGM' });
    await chip.hover();
    await expect.poll(() => fetched).toContain('/fragments/sounds?type=1');
    await chip.click();
    await page.getByRole('link', { name: 'BGMを外す' }).waitFor();
    await waitForAnswers(page);
    expect(asked).not.toContain('/sounds?type=1');
  });
});
