import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { islands } from '#src/astro/build/adapter.ts';

/**
 * The versions whose source or runtime the build changes (decision 141), or the tests in Firefox
 * (`tests/browser/support/firefox.ts`). Before you write a new one here, read what has changed around each of these places,
 * and whether an option of the package does the same by now.
 */
const READ = {
  '@astrojs/node': '11.1.6',
  '@astrojs/react': '7.0.0',
  astro: '7.3.5',
  'playwright-core': '1.65.1',
  sonner: '2.0.8',
  vite: '8.3.8',
};

it('packages that the build changes are of the version that was read', () => {
  const load = createRequire(import.meta.url);
  const installed = Object.keys(READ).map((name) => {
    const { version } = load(`../../node_modules/${name}/package.json`) as { version: string };
    return [name, version];
  });
  expect(Object.fromEntries(installed)).toEqual(READ);
});

it('packages that the build extends are among them', () => {
  const code = globSync('src/astro/build/*.ts').map((file) => readFileSync(file, 'utf8'));
  const imported = code.flatMap((text) =>
    [...text.matchAll(/from '((?:@[\w-]+\/)?[\w-]+)[/']/g)].map(([, name = '']) => name),
  );
  expect(imported).toContain('@astrojs/react');
  expect(Object.keys(READ)).toEqual(expect.arrayContaining(imported));
});

it('a replaced module that Astro no longer loads fails the build', () => {
  const check = islands().hooks['astro:build:done'] as () => void;
  expect(check).toThrow('/astro/dist/runtime/server/scripts.js');
});
