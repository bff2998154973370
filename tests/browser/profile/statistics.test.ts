import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { toDay, toDayStart } from '#contract/values/months.ts';
import { PLAY_SOURCES } from '#contract/sounds/plays.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import { addPlays, toMonthStart } from '#server/features/statistics/play-queries.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { addArtist, addSound } from '../support/artists.ts';
import { expectAccessible } from '../support/axe.ts';
import { LONG_TITLE, MARKUP_TITLE } from '../support/catalogue.ts';
import { type Account, openAsMember } from '../support/members.ts';
import { type OpenOptions, useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const { site, newPage } = useBrowser(useSite());
const DAY_MS = 86_400_000;
let artist: Account;
let beginner: Account;

beforeAll(async () => {
  // The figures end today: the day in Japan must not change before the last test.
  const leftMs = toDayStart(toDay(Date.now()) + 1) - Date.now();
  if (leftMs < 60_000) await new Promise((resolve) => setTimeout(resolve, leftMs));
  artist = await addArtist(site, '統計の人');
  beginner = await addArtist(site, 'はじめたばかりの人');
  const ids: string[] = [];
  for (const title of ['静かな雨', LONG_TITLE, MARKUP_TITLE, '=1+1'])
    ids.push(await addSound(site, artist, title));
  await withDatabaseOf(site.dataDir, async ({ db }) => {
    const rows = await everyTable(db)
      .selectFrom('sounds')
      .select(['id', 'seq', 'artist_id'])
      .where('id', 'in', ids)
      .execute();
    const seqOf = (id: string) => rows.find((row) => row.id === id)?.seq ?? 0;
    const today = toDay(Date.now());
    for (const [index, id] of ids.entries())
      for (let age = 0; age < 40; age += 1) {
        const day = today - age;
        const plays = PLAY_SOURCES.map((_, at) => (index === 0 ? 100 - at * 10 : 1));
        await addPlays(db, [{ sound_seq: seqOf(id), day, month: toMonthStart(toDayStart(day)), plays }]);
      }
    await everyTable(db)
      .insertInto('found_words')
      .values(
        ['雨の音', 'とても長い言葉でできた検索のための言葉です'].map((word, index) => ({
          sound_seq: seqOf(ids[0] ?? ''),
          month: toMonthStart(Date.now()),
          word,
          networks: 31,
          providers: 7,
          is_shown: 1 as const,
          uses: 1_234 - index,
        })),
      )
      .execute();
    const reward = { artistId: rows[0]?.artist_id ?? '', downloads: 5, yen: 12_345, reference: 'sound:x' };
    await db
      .transaction()
      .execute((transaction: Handle) =>
        recordReward(transaction, { ...reward, atMs: Date.now() - DAY_MS, idempotencyKey: 'statistics' }),
      );
  });
});

/** Logged in, with the figures on the page. */
async function openStatistics(options: OpenOptions = {}, query = ''): Promise<Page> {
  const page = await openAsMember(newPage(options), artist, `/profile/statistics${query}`);
  await page.getByRole('table').first().waitFor();
  return page;
}
const tile = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

describe.each([320, 1440])('the statistics of an artist, at %i px', (width) => {
  it('are reached from the profile, and show another span and one sound, by keyboard', async () => {
    const page = await openAsMember(newPage({ width }), artist);
    await page.getByRole('link', { name: 'サウンドの統計を見る' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile/statistics');
    // 30 days of 520 plays of the first sound, and 8 of each other one.
    await tile(page, '再生').getByText('16,320回').first().waitFor();
    expect(await tile(page, '再生').innerText()).toContain('前の期間 5,440回（+200%）');
    // Of the sounds, not of the people: one may favourite several.
    expect(await tile(page, 'お気に入り').innerText()).toMatch(/\d件/);
    expect(await tile(page, '報酬').innerText()).toContain('¥12,345');
    expect(await page.getByRole('listitem').filter({ hasText: '一覧' }).innerText()).toContain('（19%）');
    expect(await page.getByRole('listitem').filter({ hasText: '雨の音' }).innerText()).toContain('1,234回');
    const table = page.getByRole('region', { name: '日ごとの表' });
    expect(await table.getByRole('rowheader').count()).toBe(30);

    await page.getByRole('button', { name: '静かな雨' }).focus();
    await page.keyboard.press('Enter');
    await tile(page, '再生').getByText('15,600回').first().waitFor();
    expect(await tile(page, '報酬').count()).toBe(0);
    await page.getByText('「静かな雨」だけの数です。').waitFor();
    await page.reload();
    await tile(page, '再生').getByText('15,600回').first().waitFor();
    await page.getByRole('button', { name: 'すべてのサウンドを見る' }).press('Enter');
    await tile(page, '再生').getByText('16,320回').first().waitFor();

    await page.getByLabel('期間', { exact: true }).selectOption('year');
    await page.getByRole('region', { name: '月ごとの表' }).waitFor();
    expect(new URL(page.url()).search).toBe('?span=year');
    expect(await page.getByRole('region', { name: '月ごとの表' }).getByRole('rowheader').count()).toBe(12);
    await page.getByRole('link', { name: 'プロフィールに戻る' }).press('Enter');
    await page.waitForURL('**/profile');
  });
});

describe('the statistics of an artist', () => {
  it('can be exported as CSV that is safe to open in a spreadsheet', async () => {
    const page = await openStatistics();
    const save = async (name: string) => {
      const arrival = page.waitForEvent('download');
      await page.getByRole('button', { name }).press('Enter');
      const download = await arrival;
      return {
        name: download.suggestedFilename(),
        lines: (await readFile(await download.path(), 'utf8')).split('\r\n'),
      };
    };
    const days = await save('日ごとの数をCSVでダウンロード');
    expect(days.name).toBe('statistics-days.csv');
    expect(days.lines[0]).toBe('\uFEFF日,再生,ダウンロード,お気に入り,利用証明書,使用報告,報酬（円）');
    expect(days.lines[30]).toMatch(/^\d{4}年\d+月\d+日,544,0,0,0,0,0$/);
    const sounds = await save('サウンドごとの数をCSVでダウンロード');
    expect(sounds.lines[1]).toMatch(/^\w+,静かな雨,15600,0,0,0,0$/);
    expect(sounds.lines.find((line) => line.includes('=1+1'))).toContain(",'=1+1,240");
  });

  it('have no axe fault and do not overflow the screen, also without any figures', async () => {
    const page = await openStatistics();
    await expectAccessible(page);
    const empty = await openAsMember(newPage(), beginner, '/profile/statistics');
    await empty.getByText('この期間の再生はまだありません。').waitFor();
    await expectAccessible(empty);
  });

  it('are printed without the surrounding page, dark on light', async () => {
    const page = await openStatistics({ colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    for (const around of ['nav', 'footer', 'select', '#player', '#toasts'])
      expect(await page.locator(around).filter({ visible: true }).count(), around).toBe(0);
    expect(await page.getByRole('table').first().isVisible()).toBe(true);
    const ink = await page
      .getByRole('table')
      .first()
      .evaluate((table) => getComputedStyle(table).color);
    expect(ink).toBe('rgb(29, 27, 24)');
  });
});

describe('a visitor’s browser', () => {
  it('reports what was heard, with the search that found it, and a search that found nothing', async () => {
    const page = await newPage({ baseURL: inject('siteUrl') });
    await page.goto('/sounds?search=決定音');
    const heard = page.waitForRequest('**/api/plays/');
    await page
      .getByRole('button', { name: /を再生$/ })
      .first()
      .click();
    const { plays } = (await heard).postDataJSON() as { plays: unknown[] };
    expect(plays[0]).toEqual({ sound: expect.any(String), source: 'search', search: '決定音' });
    const missed = page.waitForRequest('**/api/missed-searches/');
    await page.goto('/sounds?search=ありえない言葉');
    expect((await missed).postDataJSON()).toEqual({ search: 'ありえない言葉' });
  });
});
