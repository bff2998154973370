import type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { slowPages } from './disturb.ts';
import { openBrowser } from './launch.ts';

export interface OpenOptions extends BrowserContextOptions {
  readonly width?: number;
  readonly height?: number;
  /** Console lines that this page is expected to write. */
  readonly allow?: RegExp;
}

declare global {
  interface Window {
    hasStarted(): boolean;
  }
}

/** A busy machine takes seconds for a page; a test that waits longer has failed. */
const TIMEOUT_MS = 20_000;
const PRINTED_CHARACTERS = 1_500;

const underWay = new WeakMap<Page, Set<Request>>();

/**
 * Waits until a page of a context of `newPage` has had no request in progress for 200 ms. A document reaches Playwright's
 * "networkidle" only once, so waiting for it after a click returns at once.
 */
export async function waitForAnswers(page: Page): Promise<void> {
  for (let quiet = 0; quiet < 4;) {
    // oxlint-disable-next-line no-restricted-properties -- Samples the requests in progress.
    await page.waitForTimeout(50);
    quiet = underWay.get(page)?.size ? 0 : quiet + 1;
  }
}

function countRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => {
    if (request.resourceType() !== 'media') requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame())
      for (const request of requests) if (request.isNavigationRequest()) requests.delete(request);
  });
}

/** Browsers that let no page copy: what such a browser does, and a script that makes a page's browser one. */
export const NO_COPYING: readonly (readonly [how: string, prepare: () => void])[] = [
  ['has no clipboard', () => Object.defineProperty(navigator, 'clipboard', { value: undefined })],
  [
    'keeps its clipboard to itself',
    () => {
      const clipboard = { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) };
      Object.defineProperty(navigator, 'clipboard', { value: clipboard });
    },
  ],
];

/**
 * Answers requests whose URL matches, until the returned function is called. The route stays then and lets requests pass:
 * a request that is in progress while the last route of a page is removed may never be answered.
 */
export async function answerRequests(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => Promise<void>,
): Promise<() => void> {
  let isOver = false;
  await page.route(url, (route) => (isOver ? route.fallback() : answer(route)));
  return () => void (isOver = true);
}

/** Holds back requests whose URL matches. Returns a function that lets them pass. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Opens a page whose scripts are held back, once it has been parsed. Returns a function that lets them pass. */
export async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const release = await holdRequests(page, '**/_astro/*.js');
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  return release;
}

/** Marks a document, so that `isSameDocument` tells whether a navigation has replaced it. */
export const markDocument = (page: Page) => page.evaluate(() => Reflect.set(window, 'isMarked', true));
export const isSameDocument = (page: Page) => page.evaluate(() => Reflect.get(window, 'isMarked') === true);

/**
 * Loads a page and waits until it is interactive: every island that loads at once has hydrated.
 * The player's bar hydrates with the first sound, and other islands when someone turns to them.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

/** Runs before the scripts of a page, and notes which of them have run or failed: they start after the first paint. */
function noteScripts(): void {
  const ended = new Set<string>();
  for (const type of ['load', 'error']) {
    document.addEventListener(type, ({ target }) => ended.add((target as HTMLScriptElement).src), true);
  }
  window.hasStarted = () =>
    [...document.querySelectorAll<HTMLScriptElement>('script[type=late]')].every(({ src }) => ended.has(src));
}

/** Waits until the scripts of a page have run: before that, only presses are kept. */
export async function waitForScripts(page: Page): Promise<void> {
  await page.waitForFunction(() => document.readyState === 'complete' && window.hasStarted());
}

/** The wait of `visit`, for a navigation in progress. */
export async function waitForHydration(page: Page): Promise<void> {
  await waitForScripts(page);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('astro-island[ssr]')].every((island) => {
      const { value } = JSON.parse(island.getAttribute('opts') ?? '') as { value: string };
      return value !== 'load';
    }),
  );
}

/** Prints what the pages of a failed test show. */
async function printPages(contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages())) {
    const text = await page.locator('body').innerText({ timeout: 1_000 }).catch(String);
    console.error(`${page.url()} shows:\n${text.slice(0, PRINTED_CHARACTERS)}`);
  }
}

/**
 * A route that still answers a call of the page may fail when the page closes, and one that holds a call lets it go on:
 * what the page writes about that is no noise of the test. A test may have closed its context.
 */
async function close(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) page.removeAllListeners('console');
  const routed = [context, ...context.pages()];
  await Promise.allSettled(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

/** A browser for the tests of a file, on a site. Any unexpected console message of a page fails the test. */
export function useBrowser<Opened extends { readonly url: string } | (() => string)>(
  site: Opened = (() => inject('siteUrl')) as Opened,
) {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const noise: string[] = [];

  const openOnce = async () => void (browser = await openBrowser(inject('browser')));
  beforeAll(openOnce);
  // After a crash, the next test gets another one.
  beforeEach(openOnce);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages(contexts);
    await Promise.all(contexts.splice(0).map(close));
    expect(noise.splice(0), 'the console is silent').toEqual([]);
  });

  async function newPage({ width = 1440, height = 900, allow, ...options }: OpenOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height },
      locale: 'ja-JP',
      baseURL: typeof site === 'function' ? site() : site.url,
      ...options,
    });
    contexts.push(context);
    await context.addInitScript(noteScripts);
    slowPages(context);
    context.setDefaultTimeout(TIMEOUT_MS);
    // Further tabs and windows of the context as well.
    context.on('page', (page) => {
      countRequests(page);
      page.on('console', (message) => {
        if (!allow?.test(message.text()))
          noise.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => noise.push(String(error)));
    });
    return context.newPage();
  }

  /** A page at a path of the site. */
  async function open(path: string, options: OpenOptions = {}): Promise<Page> {
    const page = await newPage(options);
    if (options.javaScriptEnabled === false) await page.goto(path);
    else await visit(page, path);
    return page;
  }

  return { site, open, newPage, getBrowser: () => browser };
}
