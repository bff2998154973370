import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openAsMember } from '../support/members.ts';
import { isSameDocument, markDocument, useBrowser, waitForHydration } from '../support/pages.ts';

const { newPage, open } = useBrowser();

it.each(['/', '/sounds', '/artist/音の人', '/login', '/contact', '/member-terms', '/nothing'])(
  '%s has at most 7.5 KB of styles, brotli, and none of the member pages',
  async (path) => {
    const page = await open(path, { allow: /404/ });
    const styles = await page.evaluate(() =>
      [...document.querySelectorAll('style')].map((style) => style.textContent).join(''),
    );
    expect(styles).toContain('.navbar');
    expect(brotliCompressSync(styles).length).toBeLessThanOrEqual(7500);
    for (const name of ['profile-', 'own-', 'quality-check', 'statement', 'reward-', 'file-slot'])
      expect(styles, name).not.toContain(`.${name}`);
  },
);

it('the router keeps the style sheet between pages of one kind, and brings that of another kind', async () => {
  const page = await newPage();
  await openAsMember(page, undefined, '/sounds');
  await waitForHydration(page);
  await markDocument(page);
  const readSheet = () => page.evaluate(() => document.getElementById('sheet')?.textContent.length);
  const lengths = [await readSheet()];
  for (const [link, shown, property, value] of [
    ['/member-terms', '.prose', 'max-width', '704px'],
    ['/privacy-policy', '.prose', 'max-width', '704px'],
    ['/profile', '.profile-panel', 'border-radius', '12px'],
    ['/contact', '.form-card', 'max-width', '440px'],
    ['/sounds', '.sound-grid', 'display', 'grid'],
  ] as const) {
    await page.evaluate(() => Reflect.set(window, 'sheet', document.getElementById('sheet')));
    await page.locator(`a[href="${link}"]:visible`).first().click();
    await page.waitForURL(link);
    await expect
      .poll(() =>
        page
          .locator(shown)
          .first()
          .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property),
      )
      .toBe(value);
    const isKept = () =>
      page.evaluate(() => Reflect.get(window, 'sheet') === document.getElementById('sheet'));
    expect(await isKept(), link).toBe(link === '/privacy-policy');
    lengths.push(await readSheet());
  }
  expect(await isSameDocument(page)).toBe(true);
  expect(new Set(lengths).size).toBe(4);
});
