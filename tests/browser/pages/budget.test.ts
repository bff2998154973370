import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAsMember } from '../support/members.ts';
import { useBrowser, visit, waitForAnswers, waitForHydration } from '../support/pages.ts';

const { open, newPage } = useBrowser();

const KB = 1000;
const DIST = new URL('../../../dist/client', import.meta.url).pathname;

/** Bytes of script, brotli as served, that a cold load of a page transfers until it is idle, and until after `act`. */
async function countScript(
  path: string,
  allow?: RegExp,
  act: (page: Page) => Promise<void> = async () => {},
): Promise<number> {
  const page = await newPage(allow ? { allow } : {});
  const files = new Set<string>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    files.add(pathname);
    expect(response.headers()['cache-control']).toContain('immutable');
  });
  await visit(page, path);
  await waitForAnswers(page);
  await act(page);
  await waitForAnswers(page);
  const inline = await page.evaluate(() =>
    [...document.querySelectorAll('script:not([src], [type="application/ld+json"])')]
      .map((script) => script.textContent)
      .join('\n'),
  );
  return [...files].reduce((sum, file) => sum + readServed(file), brotliCompressSync(inline).length);
}

function readServed(file: string): number {
  try {
    return readFileSync(`${DIST}${file}.br`).length;
  } catch {
    return readFileSync(DIST + file).length;
  }
}

describe('script that pages load, brotli, including inline script', () => {
  it.each(['/member-terms', '/content/faq', '/nothing'])(
    'is at most 4.1 KB on pages without an island (%s)',
    async (path) => {
      const bytes = await countScript(path, /404/);
      expect(bytes).toBeGreaterThan(1000);
      expect(bytes).toBeLessThanOrEqual(4.1 * KB);
    },
  );

  it.each(['/', '/sounds', '/artist/音の人'])('is at most 6.1 KB on pages with sounds (%s)', async (path) => {
    const bytes = await countScript(path);
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThanOrEqual(6.1 * KB);
  });

  it('is at most 87.4 KB with React and the styles of islands, which the first press on a heart loads', async () => {
    const bytes = await countScript('/sounds', undefined, async (page) => {
      await page.locator('.favorite').first().hover();
      await page.locator('[data-live] .favorite').waitFor();
    });
    expect(bytes).toBeGreaterThan(60 * KB);
    expect(bytes).toBeLessThanOrEqual(87.4 * KB);
  });

  it('is at most 36.9 KB, without React, for a member, whose hearts it fills', async () => {
    const bytes = await countScript('/sounds', undefined, async (page) => {
      await openAsMember(page, undefined, '/sounds');
      await waitForHydration(page);
      await waitForAnswers(page);
    });
    expect(bytes).toBeGreaterThan(10 * KB);
    expect(bytes).toBeLessThanOrEqual(36.9 * KB);
  });

  it('is at most 36.5 KB, without React, when a filter replaces the list', async () => {
    const bytes = await countScript('/sounds', undefined, async (page) => {
      await page.getByRole('link', { name: 'BGM', exact: true }).click();
      await page.waitForURL(/type=/);
    });
    expect(bytes).toBeLessThanOrEqual(36.5 * KB);
  });
});

describe('what a phone loads before a touch', () => {
  it.each([
    ['/', 12.2],
    ['/sounds', 12.9],
    ['/artist/音の人', 12.7],
    ['/member-terms', 9.5],
  ])('%s has at most %d KB of HTML, and 7 files of 18 KB in all', async (path, htmlKb) => {
    const page = await newPage({ width: 412, height: 823 });
    // After the first visit, the server compresses a page again, as small as possible, when it has time for that.
    const headers = { 'accept-encoding': 'br' };
    const readBytes = async () =>
      Number((await page.request.get(path, { headers })).headers()['content-length']);
    await expect.poll(readBytes).toBeLessThanOrEqual(htmlKb * KB);
    const loaded: Promise<{ readonly isPage: boolean; readonly bytes: number }>[] = [];
    let headerBytes = 0;
    page.on('requestfinished', (request) => {
      const isPage = request.resourceType() === 'document';
      const sizes = request.sizes().then(({ responseBodySize: bytes, responseHeadersSize }) => {
        if (isPage) headerBytes = responseHeadersSize;
        return { isPage, bytes };
      });
      loaded.push(sizes);
    });
    await visit(page, path);
    await waitForAnswers(page);
    const files = await Promise.all(loaded);
    const sum = (list: typeof files) => list.reduce((total, { bytes }) => total + bytes, 0);
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThanOrEqual(7);
    expect(sum(files.filter(({ isPage }) => isPage))).toBeLessThanOrEqual(htmlKb * KB);
    expect(sum(files)).toBeLessThanOrEqual(18 * KB);
    // Mostly the policy, which no server compresses.
    expect(headerBytes).toBeLessThanOrEqual(1.6 * KB);
  });

  it('starts no script before the page has been parsed', async () => {
    const page = await open('/sounds');
    const [parsed = 0, ...starts] = await page.evaluate(() => {
      const scripts = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ startTime }) => startTime);
      const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return [page?.domInteractive ?? Infinity, ...scripts];
    });
    expect(starts.length).toBeGreaterThan(1);
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(parsed);
  });
});

it('the pictures of cards load when they come into view, all of them after a scroll, and without script', async () => {
  const shown = (page: Page) =>
    page.locator('[data-pictures] > li .card-picture').evaluateAll(
      (pictures) =>
        pictures.filter((picture) => {
          const probe = picture.appendChild(new Image());
          const isShown = getComputedStyle(probe).display !== 'none';
          probe.remove();
          return isShown;
        }).length,
    );
  const page = await open('/sounds', { width: 412, height: 823 });
  expect(await shown(page)).toBeLessThan(8);
  expect(await shown(page)).toBeGreaterThan(3);
  await page.mouse.wheel(0, 10);
  await expect.poll(() => shown(page)).toBe(20);
  const plain = await newPage({ width: 412, height: 823, javaScriptEnabled: false });
  await plain.goto('/sounds');
  expect(await shown(plain)).toBe(20);
});

describe('layout stability', () => {
  it.each(['/', '/sounds', '/artist/音の人'])(
    '%s does not shift while it loads and hydrates',
    async (path) => {
      const page = await newPage();
      await page.addInitScript(() => {
        const shifts: { value: number; atMs: number }[] = [];
        Reflect.set(window, 'shifts', shifts);
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value } = entry as PerformanceEntry & { value: number };
            shifts.push({ value, atMs: entry.startTime });
          }
        }).observe({ type: 'layout-shift', buffered: true });
        // In the second frame, the whole document has been painted. A shift while it arrives is one of the first.
        document.addEventListener('DOMContentLoaded', () =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => Reflect.set(window, 'paintedAtMs', performance.now())),
          ),
        );
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.mouse.wheel(0, 2000);
      await waitForAnswers(page);
      const { shifts, paintedAtMs } = await page.evaluate(() => ({
        shifts: Reflect.get(window, 'shifts') as { value: number; atMs: number }[],
        paintedAtMs: Reflect.get(window, 'paintedAtMs') as number,
      }));
      expect(paintedAtMs).toBeGreaterThan(0);
      expect(shifts.filter(({ atMs }) => atMs > paintedAtMs)).toEqual([]);
      // A slow machine may paint part of a row of cards before the whole row has arrived.
      expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.01);
    },
  );
});
