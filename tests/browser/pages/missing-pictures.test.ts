import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
