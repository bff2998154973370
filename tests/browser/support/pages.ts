import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { launchChromium } from './chromium.ts';

export interface OpenOptions extends BrowserContextOptions {
  readonly width?: number;
  readonly height?: number;
  /** Console lines that this page is expected to write. */
  readonly allow?: RegExp;
}

/** A browser for the tests of a file. Whatever a page writes to its console fails the test. */
export function useBrowser(siteUrl = () => inject('siteUrl')) {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const noise: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(noise.splice(0), 'the console is silent').toEqual([]);
  });
  afterAll(() => browser?.close());

  async function newPage({ width = 1440, height = 900, allow, ...options }: OpenOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height },
      locale: 'ja-JP',
      baseURL: siteUrl(),
      ...options,
    });
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (!allow?.test(message.text()))
        noise.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => noise.push(String(error)));
    return page;
  }

  /** A page at a path of the site. */
  async function open(path: string, options: OpenOptions = {}): Promise<Page> {
    const page = await newPage(options);
    await page.goto(path, { waitUntil: 'networkidle' });
    return page;
  }

  return { open, newPage, getBrowser: () => browser };
}
