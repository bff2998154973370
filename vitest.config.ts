import { defineConfig } from 'vitest/config';

const SEED_SETUP = 'tests/support/seed-setup.ts';
const OUTGOING_SETUP = 'tests/support/outgoing-setup.ts';
/** Tests in a real browser: Chromium, or that of `TEST_BROWSER`. */
const JOURNEYS = {
  globalSetup: ['tests/browser/support/launch-global.ts', 'tests/browser/support/site-global.ts'],
  // A worker keeps its browser for all of its files.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000, interval: 50 } },
};

/** Pure code, the server with its databases, built pages without a browser, and journeys in a real browser. */
export default defineConfig({
  test: {
    // By default Vitest leaves one core idle, which is half of a machine with two.
    maxWorkers: '100%',
    // A store ends a second after its last listener. By then, the window of its test file may be gone.
    onUnhandledError: ({ message, stack = '' }) =>
      !(message === 'window is not defined' && stack.includes('/@nanostores/persistent/')),
    projects: [
      {
        resolve: {
          alias: { 'astro:transitions/client': `${import.meta.dirname}/tests/src/support/router.ts` },
        },
        test: {
          name: 'unit',
          include: ['tests/{contract,src,demo,project}/**/*.test.{ts,tsx}'],
          globalSetup: ['tests/support/databases/databases-global.ts'],
          setupFiles: [SEED_SETUP, OUTGOING_SETUP],
          // A thread starts faster than a process, and no test here needs a separate process.
          pool: 'threads',
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'api',
          include: ['tests/server/**/*.test.ts'],
          globalSetup: ['tests/support/databases/databases-global.ts'],
          setupFiles: [
            SEED_SETUP,
            OUTGOING_SETUP,
            ...(process.env['RECORD_QUERIES'] === undefined
              ? []
              : ['tests/support/databases/record-queries.ts']),
          ],
          // Processes that tests start load what earlier ones have compiled.
          env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/node` },
          // A file's tests end what they begin, so the next file can use the same modules.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000, interval: 20 } },
        },
      },
      {
        test: {
          // Real servers of Debian, which `npm run services` starts.
          name: 'services',
          include: ['tests/services/**/*.test.ts'],
        },
      },
      {
        test: {
          // WebKitGTK, on a display and a sound card of its own, which `npm run browsers` starts.
          name: 'webkit',
          include: ['tests/browsers/webkit/**/*.test.ts'],
          globalSetup: ['tests/browser/support/site-global.ts'],
          isolate: false,
          // A journey listens to all that plays.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000, interval: 50 } },
        },
      },
      {
        test: {
          name: 'pages',
          include: ['tests/pages/**/*.test.ts'],
          globalSetup: ['tests/browser/support/site-global.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000, interval: 50 } },
        },
      },
      {
        test: {
          ...JOURNEYS,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          setupFiles:
            process.env['TEST_BROWSER'] === 'firefox' ? ['tests/browsers/firefox/skip-left-out.ts'] : [],
          // Half of the time, tests wait for notices and timeouts.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...JOURNEYS,
          // What `npm run browsers` adds to them. One after the other, and after them: a journey listens to all that plays.
          name: 'firefox',
          include: ['tests/browsers/firefox/**/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
