import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useBrowser } from '../support/pages.ts';

const { open } = useBrowser();

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

it('the router loads the styles of each page and keeps those of the site in place', async () => {
  const page = await open('/sounds');
  await page.evaluate(() => Reflect.set(window, 'siteStyles', document.querySelector('head style')));
  for (const [link, shown, styled] of [
    ['/login', '.form-card', 'max-width: 440px'],
    ['/member-terms', '.prose', 'max-width: 704px'],
    ['/sounds', '.sound-grid', 'display: grid'],
  ] as const) {
    await page.locator(`a[href="${link}"]:visible`).first().click();
    const [property = '', value] = styled.split(': ');
    await expect
      .poll(() =>
        page
          .locator(shown)
          .first()
          .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property),
      )
      .toBe(value);
    expect(
      await page.evaluate(() => Reflect.get(window, 'siteStyles') === document.querySelector('head style')),
    ).toBe(true);
  }
});
