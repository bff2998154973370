/** A page as a slow phone loads it: processor slowed down four times, 1.6 Mbit/s, 150 ms round trip, cold cache. */
import type { Browser, CDPSession, Page } from 'playwright-core';

const SLOWDOWN = 4;
const BITS_PER_SEC = 1_600_000;
const LATENCY_MS = Number(process.env['LATENCY_MS'] ?? 150);
const SCREEN = { width: 412, height: 823 };
/** After the last request, for late paints and tasks. */
const SETTLE_MS = 500;
/** A press that had no effect is repeated after this time. */
const PRESS_AGAIN_MS = 100;
const PRESSES_MAX = 100;
const SOUND_WAIT_MS = 20_000;
/** The name of the function by which the page reports. */
const REPORT = 'reportToBench';

/** Times in milliseconds after the start of the navigation. */
export interface LoadFigures {
  readonly paint: number;
  readonly largest: number;
  /** The sum of what long tasks take beyond 50 ms. */
  readonly blocking: number;
  /** CLS. */
  readonly shift: number;
  /** Bytes of script files as transferred. */
  readonly scriptBytes: number;
}

export interface PressFigures {
  /** When a press on the first play button had an effect, in ms after the start of the navigation. */
  readonly press: number;
  /** From that touch until the sound's position moves, in ms. */
  readonly heard: number;
  /** As in `LoadFigures`, with what the press causes. */
  readonly blocking: number;
}

export interface Phone {
  readonly page: Page;
  readonly cdp: CDPSession;
  close(): Promise<void>;
}

/** A new context with an empty cache; `isSlow: false` leaves out the slowdown, for counting bytes. */
export async function openPhone(browser: Browser, isSlow = true): Promise<Phone> {
  const context = await browser.newContext({ viewport: SCREEN, hasTouch: true, locale: 'ja-JP' });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (isSlow) {
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BITS_PER_SEC / 8,
      uploadThroughput: BITS_PER_SEC / 8,
    });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  }
  return { page, cdp, close: () => context.close() };
}

/** Loads a page that nobody touches: a touch would end the search for the largest paint. */
export async function measureLoad(browser: Browser, url: string): Promise<LoadFigures> {
  const { page, cdp, close } = await openPhone(browser);
  const transfers = followTransfers(cdp);
  await page.addInitScript(watchPaints);
  await arrive(page, url, 'load');
  const seen = await readPaints(page);
  await close();
  const scripts = [...transfers.values()].filter(({ isScript }) => isScript);
  return {
    ...seen,
    scriptBytes: scripts.reduce((sum, { bytes, headerBytes }) => sum + bytes + headerBytes, 0),
  };
}

/** Touches the first play button as soon as it is painted; undefined for a page without one. */
export async function measurePress(browser: Browser, url: string): Promise<PressFigures | undefined> {
  const { page, cdp, close } = await openPhone(browser);
  try {
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name: REPORT });
    const reports = followReports(cdp);
    await page.addInitScript(watchPaints);
    await page.addInitScript(watchPress, REPORT);
    await arrive(page, url, 'commit');
    const spot = await reports.next('spot');
    if (spot === undefined) return undefined;
    for (let tries = 0; tries < PRESSES_MAX; tries += 1) {
      await tap(cdp, spot);
      if (await reports.next('press', PRESS_AGAIN_MS)) break;
    }
    const heard = await reports.next('heard');
    if (heard === undefined) throw new Error(`no sound on ${url} within ${SOUND_WAIT_MS} ms`);
    const { blocking } = await readPaints(page);
    return { press: heard['press'] ?? 0, heard: (heard['heard'] ?? 0) - (heard['touch'] ?? 0), blocking };
  } finally {
    await close();
  }
}

/**
 * Follows a link of another site. From an empty tab, Chromium would start a second process when it reads the page's
 * `cross-origin-opener-policy`, which takes 40 ms of this phone.
 */
async function arrive(page: Page, url: string, waitUntil: 'load' | 'commit'): Promise<void> {
  await page.goto(`data:text/html,<a href="${new URL(url).href}">sounds</a>`);
  await page.click('a', { noWaitAfter: true });
  await page.waitForURL(url, { waitUntil });
}

/** What `watchPaints` has seen once the page is idle. */
async function readPaints(page: Page): Promise<Omit<LoadFigures, 'scriptBytes'>> {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(SETTLE_MS);
  return page.evaluate(() => ({
    ...(Reflect.get(window, 'seen') as { largest: number; blocking: number; shift: number }),
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
}

/** What was transferred for a URL; 0 bytes more for what came from the cache. */
export interface Transfer {
  readonly isScript: boolean;
  readonly isDocument: boolean;
  readonly headerBytes: number;
  /** Of the body, compressed. */
  bytes: number;
}

/** What the page transfers from now on, by URL. */
export function followTransfers(cdp: CDPSession): ReadonlyMap<string, Transfer> {
  const transfers = new Map<string, Transfer>();
  const urls = new Map<string, string>();
  // Scripts may be fetched before they are imported, so their type is not always `Script`.
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    urls.set(requestId, response.url);
    if (transfers.has(response.url)) return;
    transfers.set(response.url, {
      isScript: /javascript/.test(response.mimeType),
      isDocument: type === 'Document',
      headerBytes: response.encodedDataLength,
      bytes: 0,
    });
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(urls.get(requestId) ?? '');
    if (transfer) transfer.bytes = Math.max(transfer.bytes, encodedDataLength - transfer.headerBytes);
  });
  return transfers;
}

type Report = Readonly<Record<string, number>>;

/** Reports of `watchPress`, in any order. */
function followReports(cdp: CDPSession) {
  const reports = new Map<string, Report>();
  const waiting = new Map<string, (report: Report) => void>();
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== REPORT) return;
    const { kind, ...report } = JSON.parse(payload) as { kind: string } & Record<string, number>;
    reports.set(kind, report);
    waiting.get(kind)?.(report);
  });
  return {
    /** The report of a kind; undefined if there is none within `waitMs`. */
    async next(kind: string, waitMs = SOUND_WAIT_MS): Promise<Report | undefined> {
      const known = reports.get(kind);
      if (known !== undefined) return known;
      const { promise, resolve } = Promise.withResolvers<Report | undefined>();
      waiting.set(kind, resolve);
      const timer = setTimeout(resolve, waitMs);
      const report = await promise;
      clearTimeout(timer);
      return report;
    },
  };
}

/** A touch by the browser itself, with all its events; the page sees no difference from a finger. */
async function tap(cdp: CDPSession, { x = 0, y = 0 }: Report): Promise<void> {
  await Promise.all([
    cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
    cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ]);
}

/** Runs in the page. */
function watchPaints() {
  const seen = { largest: 0, blocking: 0, shift: 0 };
  Reflect.set(window, 'seen', seen);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.largest = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.blocking += Math.max(0, entry.duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      seen.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Runs in the page: reports where the first play button was painted, the press that started a sound, and the sound. */
function watchPress(reportName: string) {
  const report = (kind: string, figures: object) =>
    (Reflect.get(window, reportName) as (text: string) => void)(JSON.stringify({ kind, ...figures }));
  let wasThere = false;
  let touch = 0;
  let press = 0;
  let isHeard = false;
  const look = () => {
    const button = document.querySelector('[data-play]');
    // A button that was there in an earlier frame, after the first paint, has been painted.
    if (wasThere && button && performance.getEntriesByName('first-contentful-paint').length > 0) {
      const { left, top, width, height } = button.getBoundingClientRect();
      return report('spot', { x: left + width / 2, y: top + height / 2 });
    }
    wasThere = button !== null;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      if (press === 0) touch = timeStamp;
    },
    true,
  );
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function playTimed() {
    if (press === 0) report('press', { press: (press = performance.now()) });
    this.addEventListener('playing', () => listen(this, this.currentTime));
    return play.call(this);
  };
  const listen = (media: HTMLMediaElement, fromSec: number) => {
    if (isHeard || media.paused) return;
    if (media.currentTime === fromSec) return void setTimeout(() => listen(media, fromSec), 4);
    isHeard = true;
    report('heard', { press, touch, heard: performance.now() });
  };
}
