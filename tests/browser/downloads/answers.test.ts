import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { agree, pressDownload, putNotices } from '../support/notices.ts';
import { answerRequests, useBrowser, visit } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';

const TITLE = '最新の戦闘音';
const OTHER = '静かな雨 40';
const FILE = `${TITLE} - 音の人.mp3`;
const FAILED = /Failed to load resource|Failed to fetch the sound file\./;

const { site, newPage } = useBrowser(useOwnSite({ RATE_LIMITS: 'off', DOWNLOADS_PER_DAY: '50' }));

beforeAll(async () => {
  await putNotices(site, [{}]);
});

async function openSounds() {
  const page = await newPage({ allow: FAILED });
  const files: string[] = [];
  page.on('download', (download) => files.push(download.suggestedFilename()));
  await visit(page, '/sounds');
  return { page, files };
}

/** As an anonymous visitor sees it. */
async function readCount(): Promise<number | undefined> {
  const response = await fetch(`${site.url}/api/sounds/?search=${encodeURIComponent(TITLE)}&page_size=1`);
  const { results } = (await response.json()) as { results: { download_count: number }[] };
  return results[0]?.download_count;
}

/** The host’s answer to the page’s next request for a file. */
const nextAnswer = (page: Page) =>
  page.waitForResponse((response) =>
    /\/api\/sounds\/[^/]+\/download$/.test(new URL(response.url()).pathname),
  );

describe('a host that has received no viewing time for a notice', () => {
  it('answers 409; the page says that it is checking, reports the time again, and the file arrives', async () => {
    const { page, files } = await openSounds();
    const connect = await answerRequests(page, '**/api/download-intents/*/watching', (route) =>
      route.abort(),
    );
    await pressDownload(page, TITLE);
    await agree(page);
    const refusal = await nextAnswer(page);
    expect(refusal.status()).toBe(409);
    connect();
    await page.getByText('表示した時間を確認しています。').waitFor();
    await expect.poll(() => files, { timeout: 30_000 }).toEqual([FILE]);
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });
});

describe('the link to a file', () => {
  it('U20 counts once, with repeated, aborted and ranged requests', async () => {
    const { page, files } = await openSounds();
    const before = (await readCount()) ?? 0;
    await pressDownload(page, TITLE);
    await agree(page);
    const answer = await nextAnswer(page);
    const { url } = (await answer.json()) as { url: string };
    await expect.poll(() => files).toEqual([FILE]);
    const address = new URL(url, site.url);
    for (let time = 0; time < 5; time += 1) {
      const broken = new AbortController();
      const response = await fetch(address, { signal: broken.signal });
      expect(response.status).toBe(200);
      broken.abort();
      await response.body?.cancel().catch(() => undefined);
      const part = await fetch(address, { headers: { range: `bytes=${time}-${time + 9}` } });
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
      expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
    }
    await expect.poll(readCount).toBe(before + 1);
  });
});

describe('a visitor at the daily download limit', () => {
  const small = useOwnSite({ RATE_LIMITS: 'off', DOWNLOADS_PER_DAY: '1' });
  const { newPage: newSmallPage } = useBrowser(() => small.url);

  beforeAll(async () => {
    await putNotices(small, [{}]);
  });

  it('sees the limit and its duration before watching a notice', async () => {
    const page = await newSmallPage({ allow: FAILED });
    await visit(page, '/sounds');
    const downloading = page.waitForEvent('download');
    await pressDownload(page, TITLE);
    await agree(page);
    expect((await downloading).suggestedFilename()).toBe(FILE);
    await pressDownload(page, OTHER);
    await agree(page);
    await page.getByText(/操作の回数が多すぎます。.+もう一度お試しください。/).waitFor();
    expect(await page.locator('dialog[open]').count()).toBe(0);
    // The button can be pressed again.
    await page.getByRole('button', { name: `${OTHER}をダウンロード`, exact: true }).waitFor();
  });
});
