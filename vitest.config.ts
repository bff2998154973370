import { defineConfig } from 'vitest/config';

/** Three rooms: pure code, the server on both databases, and journeys in a real browser. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: {
          alias: { 'astro:transitions/client': `${import.meta.dirname}/tests/src/support/router.ts` },
        },
        test: { name: 'unit', include: ['tests/{contract,src,demo,project}/**/*.test.{ts,tsx}'] },
      },
      {
        test: {
          name: 'api',
          include: ['tests/server/**/*.test.ts'],
          globalSetup: ['tests/support/postgres-global.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/browser/support/site-global.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000, interval: 50 } },
        },
      },
    ],
  },
});
