/**
 * Measures page loads on a slow phone: `node bench/pages.ts URL [path …]`. Processor slowed down four times, 1.6
 * Mbit/s, 150 ms round trip; the median of several cold loads.
 */
import type { Page } from 'playwright-core';
import { launchChromium } from '../tests/browser/support/chromium.ts';

const RUNS = 7;
const SLOWDOWN = 4;
const BITS_PER_SEC = 1_600_000;
const LATENCY_MS = Number(process.env['LATENCY_MS'] ?? 150);

const [site = 'http://127.0.0.1:4321', ...paths] = process.argv.slice(2);
const browser = await launchChromium();
console.log(
  '| page | first press takes at | first paint | largest paint | blocking | CLS | scripts, bytes |',
);
console.log('|---|---|---|---|---|---|---|');
for (const path of paths.length > 0 ? paths : ['/sounds', '/', '/member-terms']) {
  const runs: Figures[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure(path));
  const median = (key: keyof Figures) =>
    runs.map((run) => run[key]).toSorted((a, b) => a - b)[RUNS >> 1] ?? 0;
  const ms = (key: keyof Figures) => `${(median(key) / 1000).toFixed(2)} s`;
  console.log(
    `| ${path} | ${ms('press')} | ${ms('paint')} | ${ms('largest')} | ${median('blocking').toFixed(0)} ms | ${median('shift').toFixed(3)} | ${median('scriptBytes')} |`,
  );
}
await browser.close();

interface Figures {
  press: number;
  paint: number;
  largest: number;
  blocking: number;
  shift: number;
  scriptBytes: number;
}

async function measure(path: string): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, baseURL: site });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const scripts = new Map<string, boolean>();
  let scriptBytes = 0;
  // Scripts are fetched before they are imported, so their type is not always `Script`.
  cdp.on('Network.responseReceived', ({ requestId, response }) =>
    scripts.set(requestId, new URL(response.url).pathname.endsWith('.js')),
  );
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.get(requestId)) scriptBytes += encodedDataLength;
  });
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BITS_PER_SEC / 8,
    uploadThroughput: BITS_PER_SEC / 8,
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(watch);
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.waitForTimeout(500);
  const seen = await readFigures(page);
  await context.close();
  return { ...seen, scriptBytes };
}

/** Runs in the page: presses play as soon as a button is painted, and repeats until it works. */
function watch() {
  const seen = { press: 0, largest: 0, blocking: 0, shift: 0 };
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
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function playTimed() {
    seen.press ||= performance.now();
    return play.call(this);
  };
  const press = () => {
    if (seen.press > 0) return;
    document.querySelector<HTMLElement>('[data-play]')?.click();
    requestAnimationFrame(press);
  };
  requestAnimationFrame(press);
}

async function readFigures(page: Page): Promise<Omit<Figures, 'scriptBytes'>> {
  return page.evaluate(() => ({
    ...(Reflect.get(window, 'seen') as { press: number; largest: number; blocking: number; shift: number }),
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
}
