import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

/**
 * The versions whose source or runtime the build changes (decision 141), or the tests in Firefox
 * (`tests/browser/support/firefox.ts`). Before you write a new one here, read what has changed around each of these places,
 * and whether an option of the package does the same by now.
 */
const READ = { astro: '7.3.5', 'playwright-core': '1.65.1', vite: '8.3.8' };

it('packages that the build changes are of the version that was read', () => {
  const load = createRequire(import.meta.url);
  const installed = Object.keys(READ).map((name) => {
    const { version } = load(`../../node_modules/${name}/package.json`) as { version: string };
    return [name, version];
  });
  expect(Object.fromEntries(installed)).toEqual(READ);
});
