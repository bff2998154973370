import { brotliCompressSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { DEMO_PASSWORD, demoAccounts } from '../../demo/accounts.ts';
import { type Phone, type Transfer, followTransfers, openPhone } from '../slow-phone.ts';

/** Bytes, brotli as transferred. Scripts include those in the HTML. */
export interface Weights {
  readonly html: number;
  /** Until nothing is loaded any more: files, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Before anything is touched. */
  readonly executed: number;
  readonly fetched: number;
  /** The same for a member. */
  readonly executedByMember: number;
  /** In all after the first press, from the start of the page. */
  readonly executedAfterHeart: number;
  readonly executedAfterDownload: number;
  readonly fetchedAfterDownload: number;
}

/** Long enough for scripts that a page preloads when it is idle. */
const IDLE_MS = 3_000;
const REACTION_MS = 10_000;

interface Scripts {
  readonly executed: number;
  readonly fetched: number;
}

/** A site, and the API that logs its members in. */
export interface WeighedSite {
  readonly url: string;
  readonly apiUrl: string;
  /** The yardstick has neither members nor downloads. */
  readonly isPlain: boolean;
}

/** Counts the bytes of /sounds, without slowdown: they do not depend on time. */
export async function weigh(browser: Browser, site: WeighedSite): Promise<Weights> {
  let html = 0;
  let all: readonly Transfer[] = [];
  const resting = await countScripts(browser, site, {
    press: async (_, transfers) => {
      all = [...transfers.values()];
      html = all.find(({ isDocument }) => isDocument)?.bytes ?? 0;
    },
  });
  const load = { html, files: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
  if (site.isPlain) {
    const { executed, fetched } = resting;
    return {
      ...load,
      executed,
      fetched,
      executedByMember: executed,
      executedAfterHeart: executed,
      executedAfterDownload: executed,
      fetchedAfterDownload: fetched,
    };
  }
  const session = await logIn(site.apiUrl);
  const asMember = await countScripts(browser, site, { session });
  const afterHeart = await countScripts(browser, site, { session, press: pressHeart });
  const afterDownload = await countScripts(browser, site, { press: pressDownload });
  return {
    ...load,
    executed: resting.executed,
    fetched: resting.fetched,
    executedByMember: asMember.executed,
    executedAfterHeart: afterHeart.executed,
    executedAfterDownload: afterDownload.executed,
    fetchedAfterDownload: afterDownload.fetched,
  };
}

interface Visit {
  /** What local storage holds for a member (spec §4). */
  readonly session?: Readonly<Record<string, string>>;
  /** What the visitor does once the page is idle. */
  readonly press?: (page: Page, transfers: ReadonlyMap<string, Transfer>) => Promise<void>;
}

async function countScripts(
  browser: Browser,
  site: WeighedSite,
  { session, press }: Visit,
): Promise<Scripts> {
  const phone = await openPhone(browser, false);
  const { page } = phone;
  const transfers = followTransfers(phone.cdp);
  if (session) {
    await page.addInitScript((items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
    }, session);
  }
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  await page.goto(`${site.url}/sounds`, { waitUntil: 'networkidle' });
  await page.waitForTimeout(IDLE_MS);
  if (press) {
    await press(page, transfers);
    await page.waitForTimeout(IDLE_MS);
  }
  const scripts = await sumScripts(phone, transfers);
  await phone.close();
  return scripts;
}

/**
 * A script counts as executed when a function of it ran, which includes its top level: the browser also parses modules
 * that it only preloads.
 */
async function sumScripts({ page }: Phone, transfers: ReadonlyMap<string, Transfer>): Promise<Scripts> {
  const coverage = await page.coverage.stopJSCoverage();
  const ran = coverage.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  const isInline = ({ url }: { url: string }) => transfers.get(url)?.isDocument === true;
  const inline = brotliCompressSync(
    ran
      .filter(isInline)
      .map(({ source }) => source)
      .join('\n'),
  ).byteLength;
  const ranUrls = new Set(ran.filter((script) => !isInline(script)).map(({ url }) => url));
  const files = [...transfers].filter(([, { isScript }]) => isScript);
  const missing = [...ranUrls].filter((url) => !transfers.get(url)?.isScript);
  if (missing.length > 0) throw new Error(`scripts ran that were not fetched: ${missing.join(' ')}`);
  const sum = (list: typeof files) => list.reduce((total, [, { bytes }]) => total + bytes, inline);
  return { executed: sum(files.filter(([url]) => ranUrls.has(url))), fetched: sum(files) };
}

/** Waits until the heart has changed, and changes it back. */
async function pressHeart(page: Page): Promise<void> {
  const heart = page.locator('[data-sound] button.favorite').first();
  for (let times = 0; times < 2; times += 1) {
    const before = await heart.getAttribute('aria-pressed');
    const answer = page.waitForResponse((response) => response.url().includes('/toggle-favorite'), {
      timeout: REACTION_MS,
    });
    await heart.tap();
    await answer;
    await page.waitForFunction(
      (state) =>
        document.querySelector('[data-sound] button.favorite')?.getAttribute('aria-pressed') !== state,
      before,
      { timeout: REACTION_MS },
    );
  }
}

async function pressDownload(page: Page): Promise<void> {
  await page.locator('[data-sound] button', { hasText: 'ダウンロード' }).first().tap();
}

async function logIn(apiUrl: string): Promise<Record<string, string>> {
  const email = demoAccounts.find(({ state }) => state.isVerified)?.email;
  const response = await fetch(`${apiUrl}/api/account/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: '', email, password: DEMO_PASSWORD }),
  });
  if (!response.ok) throw new Error(`no log-in: ${response.status} ${await response.text()}`);
  const { user, access, refresh } = (await response.json()) as Record<string, unknown>;
  return {
    auth: JSON.stringify({ isAuthenticated: true, user }),
    token: String(access),
    refresh: String(refresh),
  };
}
