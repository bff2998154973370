import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import { expect, it } from 'vitest';
import { findMissingCalls } from './browser-support.ts';
import { logIn } from '../support/members.ts';
import { useBrowser, visit, waitForAnswers } from '../support/pages.ts';

const { newPage } = useBrowser();

const ROOT = new URL('../../..', import.meta.url).pathname;
const BUNDLES = join(ROOT, 'dist/client/_astro');
/** Scripts in the HTML, which are no files of the build. */
const INLINE = ['early', 'early-islands', 'embed'];

/** Calls that no browser fails at, and why. */
const SAFE: Readonly<Record<string, string>> = {
  '.dispose': 'of an advertisement',
  '.drop': 'of a search',
  '.moveBefore': 'the router asks first',
  '.skipTransition': 'only of a transition that was started',
  '.startViewTransition': 'the router asks first; no component animates by React',
  '.use': 'React’s own method',
  'Error.captureStackTrace': 'ofetch asks first',
  'Uint8Array.fromBase64': 'tus-js-client asks first',
};

/** The scripts of this build, without those kept from the one before. */
function listBundles(): string[] {
  const kept = JSON.parse(readFileSync(join(ROOT, '.astro/kept-assets.json'), 'utf8')) as string[];
  return readdirSync(BUNDLES).filter((name) => name.endsWith('.js') && !kept.includes(name));
}

it('the oldest supported browsers have every function that scripts call', async () => {
  const bundles = listBundles().map((name) => [name, readFileSync(join(BUNDLES, name), 'utf8')] as const);
  expect(bundles.length).toBeGreaterThan(50);
  const inline = await Promise.all(
    INLINE.map(async (name) => {
      const file = join(ROOT, `src/scripts/${name}.ts`);
      return [name, (await transformWithOxc(readFileSync(file, 'utf8'), file)).code] as const;
    }),
  );
  const found = [...bundles, ...inline].flatMap(([name, code]) =>
    [...findMissingCalls(code)].map((call) => ({ call, name })),
  );
  expect(found.filter(({ call }) => !(call in SAFE))).toEqual([]);
  expect(Object.keys(SAFE).filter((safe) => !found.some(({ call }) => call === safe))).toEqual([]);
});

it('a browser without the functions of 2024 logs in, plays and makes a favourite', async () => {
  const page = await newPage();
  await page.addInitScript(() => {
    for (const [owner, ...names] of [
      [Promise, 'withResolvers', 'try'],
      [URL, 'canParse', 'parse'],
      [AbortSignal, 'any'],
      [Object, 'groupBy'],
      [Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf'],
      [Document.prototype, 'startViewTransition'],
    ] as const) {
      for (const name of names) Reflect.deleteProperty(owner, name);
    }
  });
  await logIn(page);
  await visit(page, '/sounds');
  expect(await page.evaluate(() => 'withResolvers' in Promise || 'canParse' in URL)).toBe(false);
  const card = page.locator('[data-sound]').first();
  await card.locator('[data-play]').click();
  await page.getByRole('region', { name: 'プレーヤー' }).getByRole('button', { name: '一時停止' }).waitFor();
  const heart = card.locator('.favorite');
  // Until its answer arrives, a heart is empty.
  await waitForAnswers(page);
  const before = await heart.getAttribute('aria-pressed');
  const reply = page.waitForResponse((response) => response.url().includes('/toggle-favorite'));
  await heart.click();
  expect((await reply).ok()).toBe(true);
  await expect.poll(() => heart.getAttribute('aria-pressed')).not.toBe(before);
});
