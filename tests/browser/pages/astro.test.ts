import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser } from '../support/pages.ts';

/**
 * What src/astro/ leans on beyond what Astro documents. Where one of these fails after an update, read the file that is
 * named, and what Astro has changed.
 */
const { open, newPage } = useBrowser();

/** The attributes of the player's island, before anything has loaded it. */
const readIsland = (page: Page) =>
  page.locator('#player-place > *').evaluate((element) => ({
    name: element.localName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  }));

it('islands are as src/astro/islands.ts reads them', async () => {
  const page = await open('/', { javaScriptEnabled: false });
  const { name, attributes } = await readIsland(page);
  expect(name, 'Astro renders islands as another element').toBe('astro-island');
  expect(attributes, 'Astro no longer marks islands that are not hydrated').toHaveProperty('ssr');
  expect(attributes['client'], 'Astro names the directive in another attribute').toBe('when');
  expect(
    JSON.parse(attributes['opts'] ?? '{}'),
    'Astro passes the argument of a directive in another way',
  ).toMatchObject({ value: 'play' });
  for (const key of ['renderer-url', 'component-url'])
    expect(attributes[key], `Astro no longer names the script of ${key}`).toMatch(/^\/_astro\/.+\.js$/);
});

it('the element of islands calls the directive, and removes its mark', async () => {
  const page = await open('/sounds');
  await page.locator('[data-play]').first().click();
  await page.locator('#player').getByRole('button').first().waitFor();
  const { attributes } = await readIsland(page);
  expect(attributes, 'Astro no longer removes the mark of a hydrated island').not.toHaveProperty('ssr');
});

it('the scripts of a page are named, and nothing of Astro is inlined', async () => {
  const page = await open('/sounds', { javaScriptEnabled: false });
  const scripts = await page.locator('script').evaluateAll((all) =>
    all.map((script) => ({
      type: script.getAttribute('type'),
      src: script.getAttribute('src'),
      text: script.textContent,
    })),
  );
  const types = scripts.filter(({ src }) => src !== null).map(({ type }) => type);
  expect(new Set(types), 'Astro renders scripts by another module than REPLACED names').toEqual(
    new Set(['router', 'late']),
  );
  const inline = scripts.map(({ text }) => text).join('\n');
  expect(inline, 'Astro inlines its element by another module than REPLACED names').not.toMatch(
    /customElements/,
  );
});

it('the router announces a page in its live region, after its page-load event', async () => {
  const page = await open('/sounds');
  const links = page.locator('[data-sound] a[href^="/sounds/"]');
  await links.first().click();
  await page.waitForURL(/\/sounds\/./);
  const heading = (await page.locator('main h1').textContent()) ?? '';
  await expect
    .poll(() => page.locator('.astro-route-announcer').textContent(), {
      message: 'Astro announces pages in another element, or at another time',
    })
    .toBe(heading);
});

it('the router shows a page without a view transition', async () => {
  const page = await newPage();
  await page.addInitScript(() => {
    document.startViewTransition = () => {
      throw new Error('a view transition was started');
    };
  });
  await page.goto('/sounds');
  await page.locator('[data-sound] a[href^="/sounds/"]').first().click();
  await page.waitForURL(/\/sounds\/./);
  await page.locator('main h1').waitFor();
});
