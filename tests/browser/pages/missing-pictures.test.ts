import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WIDTHS } from '../support/axe.ts';
import { ARTIST_EMAIL, MEMBER } from '../support/catalogue.ts';
import type { ForeignSite } from '../support/foreign-sites.ts';
import { startForeignSite } from '../support/foreign-sites.ts';
import { openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';

const { newPage } = useBrowser();
let foreign: ForeignSite;
beforeAll(async () => {
  foreign = await startForeignSite();
});
afterAll(() => foreign.stop());

/** A page on which no picture loads. */
async function openBlocked(path: string, open?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await newPage({ allow: /ERR_FAILED|Failed to load resource/ });
  await page.route(/\/(media\/)?pictures\//, (route) => route.abort());
  await (open ? open(page) : page.goto(path));
  return page;
}

/** Pictures in view that failed and are not replaced. */
const countBroken = (page: Page) =>
  page.evaluate(
    () =>
      [...document.images].filter(
        ({ complete, naturalWidth, src }) => complete && naturalWidth === 0 && !src.startsWith('data:'),
      ).length,
  );

const readDrawing = async (page: Page, selector: string) =>
  decodeURIComponent((await page.locator(selector).first().getAttribute('src')) ?? '');

describe('where pictures do not load', () => {
  it('a card shows its waveform and the first letter of its artist', async () => {
    const page = await openBlocked('/sounds');
    await expect.poll(() => readDrawing(page, 'img[data-thumbnail]')).toMatch(/<path d="M[^"]{20}/);
    await expect.poll(() => readDrawing(page, 'img.avatar')).toContain(`&#${'音'.codePointAt(0)};`);
    await expect.poll(() => countBroken(page)).toBe(0);
    await page.locator('[data-play]').first().click();
    const art = page.locator('.player-art');
    await art.locator('svg path').waitFor();
    expect(await art.locator('img').count()).toBe(0);
  });

  it('the pages of a sound and of an artist show them too', async () => {
    const page = await openBlocked('/sounds');
    await page.locator('[data-sound]:has(img) [data-title]').first().click();
    await page.waitForURL(/\/sounds\/\w+$/);
    await expect.poll(() => readDrawing(page, 'main img[data-thumbnail]')).toContain('<path');
    await page.goto('/artist/音の人');
    const letter = `&#${'音'.codePointAt(0)};`;
    await expect.poll(() => readDrawing(page, 'img.artist-picture')).toContain(letter);
    await expect.poll(() => readDrawing(page, 'img[data-background]')).toMatch(/^data:/);
    await expect.poll(() => countBroken(page)).toBe(0);
  });

  it('the own profile does, whose pictures React renders', async () => {
    const account = { ...MEMBER, email: ARTIST_EMAIL };
    const page = await openBlocked('', (each) => openAsMember(each, account));
    const letter = `&#${'音'.codePointAt(0)};`;
    await expect.poll(() => readDrawing(page, 'img.artist-picture')).toContain(letter);
    await expect.poll(() => readDrawing(page, 'img[data-background]')).toMatch(/^data:/);
  });

  it('the navbar and footer of another host name the site, without its banner', async () => {
    foreign.host.replace('GET /api/site-config', {
      body: {
        navbar_logo: 'pictures/wide.png',
        navbar_sp_logo: '/pictures/narrow.png',
        footer_logo: '/pictures/footer.png',
        footer_banner: '/pictures/banner.png',
      },
    });
    const page = await openBlocked(`${foreign.site.url}/sounds`);
    const name = page.locator('.navbar .site-name');
    await name.waitFor();
    expect(await name.innerText()).not.toBe('');
    await page.locator('footer').scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator('footer img').count()).toBe(0);
    await expect.poll(() => countBroken(page)).toBe(0);
  });
});

describe('pictures of the operator with any proportions', () => {
  const LOGOS = ['navbar_logo', 'navbar_sp_logo', 'footer_logo', 'footer_banner'] as const;
  /** Not by the browser, which would keep an outdated page. */
  const readLogin = async () => (await fetch(`${foreign.site.url}/login`)).text();
  const draw = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#c33' } })
      .png()
      .toBuffer();

  it.each([
    [3_000, 40],
    [40, 3_000],
    [1, 1],
  ])('%d × %d fit into the page at every width', async (width, height) => {
    const body = await draw(width, height);
    foreign.host.replace('GET /api/site-config', {
      body: Object.fromEntries(LOGOS.map((name) => [name, '/pictures/any.png'])),
    });
    await expect.poll(readLogin).toContain('/pictures/any.png');
    const page = await newPage();
    await page.route('**/pictures/**', (route) => route.fulfill({ body, contentType: 'image/png' }));
    await page.goto(`${foreign.site.url}/login`);
    for (const screen of WIDTHS) {
      await page.setViewportSize({ width: screen, height: 800 });
      await page.locator('footer').scrollIntoViewIfNeeded();
      await expect
        .poll(() => page.evaluate(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0)))
        .toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen);
      const boxes = await page
        .locator('.navbar-picture, footer img')
        .evaluateAll((pictures) =>
          pictures.map((picture) => [picture.clientHeight, getComputedStyle(picture).objectFit]),
        );
      expect(boxes.map(([, fit]) => fit)).toEqual(['contain', 'contain', 'contain']);
      expect(Math.max(...boxes.map(([tall]) => Number(tall)))).toBeLessThanOrEqual(240);
      expect((await page.locator('.site-header').boundingBox())?.height).toBeLessThan(120);
    }
  });

  it('a logo for narrow screens alone is shown at every width', async () => {
    foreign.host.replace('GET /api/site-config', { body: { navbar_sp_logo: '/pictures/narrow.png' } });
    await expect.poll(readLogin).toContain('/pictures/narrow.png');
    const page = await newPage();
    await page.goto(`${foreign.site.url}/login`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect(
        await page.locator('.navbar-picture').evaluate((logo: HTMLImageElement) => logo.currentSrc),
      ).toContain('/pictures/narrow.png');
      expect(await page.locator('.navbar-picture').isVisible()).toBe(true);
    }
  });
});
