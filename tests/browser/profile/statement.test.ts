import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { listMonths, toMonth } from '#contract/values/months.ts';
import type { Month } from '#contract/values/months.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { addArtist, addSound } from '../support/artists.ts';
import { expectAccessible, findFaults } from '../support/axe.ts';
import { LONG_TITLE, MARKUP_TITLE } from '../support/catalogue.ts';
import { type Account, openAsMember } from '../support/members.ts';
import { type OpenOptions, useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const site = useSite();
let artist: Account;
const { newPage } = useBrowser(() => site.url);
const [, LAST = '2026-01', BEFORE = '2026-01', EMPTY = '2026-01'] = listMonths(toMonth(Date.now()), 4);
const FORMULA = '=HYPERLINK("http://evil.example","雨, 風")';

beforeAll(async () => {
  artist = await addArtist(site, '内訳の人');
  await withDatabaseOf(site.dataDir, async (database) => {
    const { db } = database;
    const { id: artist_id } = await everyTable(db)
      .selectFrom('users')
      .select('id')
      .where('username', '=', '内訳の人')
      .executeTakeFirstOrThrow();
    // Months are offered from the registration on.
    await everyTable(db)
      .updateTable('users')
      .set({ created_at: Date.parse(`${EMPTY}-10T00:00:00Z`) })
      .where('id', '=', artist_id)
      .execute();
    let count = 0;
    const earn = (month: Month, reference: string, downloads: number, yen: number) => {
      const atMs = Date.parse(`${month}-15T00:00:00Z`);
      const key = `statement ${(count += 1)}`;
      const reward = { artistId: artist_id, downloads, yen, atMs, reference, idempotencyKey: key };
      return db.transaction().execute((transaction: Handle) => recordReward(transaction, reward));
    };
    for (const [title, downloads, yen] of [
      ['静かな雨', 12_345, 1_234_567],
      [LONG_TITLE, 411, 1_233],
      [FORMULA, 20, 60],
      [MARKUP_TITLE, 10, 30],
      ['', 5, 30],
    ] as const) {
      const id = await addSound(site, artist, title, { is_published: false });
      await earn(LAST, `sound:${id}`, downloads, yen);
    }
    await earn(LAST, 'sound:goneGoneGoneGone', 1, 3);
    await earn(LAST, 'correction', 1, 300);
    await earn(BEFORE, 'before there were sounds', 2, 6);
  });
});

/** Logged in, on the statement of a month. */
async function openStatement(month: string, options: OpenOptions = {}): Promise<Page> {
  const page = await openAsMember(newPage(options), artist, `/profile/statement?month=${month}`);
  await expect.poll(() => page.getByRole('combobox').isEnabled()).toBe(true);
  return page;
}

const rowsOf = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
const toName = (month: string) => `${Number(month.slice(0, 4))}年${Number(month.slice(5))}月`;

describe('a statement', () => {
  it('is reached from the profile’s month by keyboard, has consistent totals, and leads back', async () => {
    const page = await openAsMember(newPage(), artist);
    const months = page.getByRole('combobox', { name: '月' });
    await expect.poll(() => months.isEnabled()).toBe(true);
    await page.getByText('ご自身によるダウンロードは、報酬にもダウンロード数にも含まれません。').waitFor();
    expect(await page.getByRole('link', { name: /内訳/ }).count()).toBe(0);
    await months.selectOption(LAST);
    await page.getByRole('definition').filter({ hasText: '¥1,236,223' }).waitFor();
    await page.getByRole('link', { name: `${toName(LAST)}の内訳を見る` }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/profile/statement?month=${LAST}`);
    await page.getByRole('table', { name: `${toName(LAST)}の報酬の内訳` }).waitFor();
    await page.getByText('ご自身によるダウンロードは、報酬にもダウンロード数にも含まれません。').waitFor();
    expect(await rowsOf(page)).toEqual([
      ['サウンド', 'ダウンロード数', '報酬'],
      ['静かな雨', '12,345', '¥1,234,567'],
      [LONG_TITLE, '411', '¥1,233'],
      [FORMULA, '20', '¥60'],
      [MARKUP_TITLE, '10', '¥30'],
      ['Untitled', '5', '¥30'],
      ['削除されたサウンド', '1', '¥3'],
      ['その他（訂正など）', '1', '¥300'],
      ['合計', '12,793', '¥1,236,223'],
    ]);
    await page.getByRole('link', { name: 'プロフィールに戻る' }).click();
    await page.waitForURL('**/profile');
    await expect.poll(() => page.getByRole('combobox', { name: '月' }).inputValue()).toBe(LAST);
  });

  it('shows a chosen month, keeps it across a reload, and says when there is nothing', async () => {
    const page = await openStatement(LAST);
    await page.getByRole('table').waitFor();
    await page.getByRole('combobox').selectOption(BEFORE);
    await page.getByRole('table', { name: `${toName(BEFORE)}の報酬の内訳` }).waitFor();
    expect(await page.getByRole('status').allInnerTexts()).toContain(
      `${toName(BEFORE)}の報酬は¥6、ダウンロード数は2です。`,
    );
    await page.reload();
    await page.getByRole('table', { name: `${toName(BEFORE)}の報酬の内訳` }).waitFor();
    await page.getByRole('combobox').selectOption(EMPTY);
    await page
      .getByText(`${toName(EMPTY)}の報酬はありません。`)
      .last()
      .waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'CSVをダウンロード' }).isDisabled()).toBe(true);
  });

  it('can be exported as CSV that is safe to open in a spreadsheet', async () => {
    const page = await openStatement(LAST);
    const button = page.getByRole('button', { name: 'CSVをダウンロード' });
    await expect.poll(() => button.isEnabled()).toBe(true);
    const arrival = page.waitForEvent('download');
    await button.focus();
    await page.keyboard.press('Enter');
    const download = await arrival;
    expect(download.suggestedFilename()).toBe(`statement-${LAST}.csv`);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('\uFEFF月,サウンドID,サウンド,ダウンロード数,報酬（円）');
    expect(lines).toHaveLength(9);
    expect(lines[1]).toMatch(new RegExp(`^${toName(LAST)},[\\w-]+,静かな雨,12345,1234567$`));
    expect(lines[3]).toContain(`,"'=HYPERLINK(""http://evil.example"",""雨, 風"")",20,60`);
    expect(lines[7]).toBe(`${toName(LAST)},,その他（訂正など）,1,300`);
  });

  it('is printed without the surrounding page, dark on light', async () => {
    const page = await openStatement(LAST, { colorScheme: 'dark' });
    await page.getByRole('table').waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const around of ['nav', 'footer', 'select', 'main button', '#player', '#toasts']) {
      expect(await page.locator(around).filter({ visible: true }).count(), around).toBe(0);
    }
    expect(await page.getByRole('table').isVisible()).toBe(true);
    expect(await page.getByText('内訳の人').isVisible()).toBe(true);
    const ink = await page.getByRole('table').evaluate((table) => getComputedStyle(table).color);
    expect(ink).toBe('rgb(29, 27, 24)');
  });

  it('has no axe fault and does not overflow the screen, at each width, in light and dark', async () => {
    const page = await openStatement(LAST);
    await page.getByRole('table').waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox').selectOption(EMPTY);
    await page
      .getByText(`${toName(EMPTY)}の報酬はありません。`)
      .last()
      .waitFor();
    await expectAccessible(page);
  });
});

describe('a profile reply of another host', () => {
  /** The profile as another host would send it. */
  async function changeProfiles(page: Page, change: object): Promise<void> {
    await page.route('**/api/account/profile/**', async (route) => {
      // A call may be in progress when the test ends and closes the page.
      const answer = async () => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } });
      };
      await answer().catch(() => undefined);
    });
  }

  it('without pending yen: none are shown', async () => {
    const page = await newPage();
    await changeProfiles(page, { pending_reward: undefined, pending_days: undefined });
    await openAsMember(page, artist);
    await expect.poll(() => page.getByRole('combobox', { name: '月' }).isEnabled()).toBe(true);
    await page.getByRole('combobox', { name: '月' }).selectOption(LAST);
    await page.getByRole('definition').filter({ hasText: '¥1,236,223' }).waitFor();
    expect(await page.getByText('確認中の報酬').count()).toBe(0);
  });

  it('with unconfirmed yen: they are shown next to the balance, with the date when they are added', async () => {
    const page = await newPage();
    await changeProfiles(page, { pending_reward: 4_321, pending_days: 30 });
    await openAsMember(page, artist);
    const block = page.getByRole('region', { name: '報酬' });
    await block.getByText('確認中の報酬').waitFor();
    expect(await block.innerText()).toMatch(/確認中の報酬\s*¥4,321/);
    expect(await block.innerText()).toContain('30日後に');
    await block.getByRole('combobox').selectOption(toMonth(Date.now()));
    await expect.poll(() => block.innerText()).not.toContain('来月に残高へ加わります');
    expect(await findFaults(page)).toEqual([]);
  });
});
