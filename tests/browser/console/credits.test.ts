import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { isBankDay } from '#server/features/ledger/zengin/bank-days.ts';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { addPayee, earn, toAddress, toPayoutDeps } from '#support/members/payouts.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { expectNarrowTable, useConsole } from '../support/console.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;
/** A record of 120 bytes and its line end. */
const RECORD_BYTES = 122;

const { site, openConsole } = useConsole({
  RATE_LIMITS: 'off',
  ZENGIN_CONSIGNOR_CODE: '1234567890',
  ZENGIN_CONSIGNOR_NAME: 'オトイチ',
  ZENGIN_BANK_CODE: '0001',
  ZENGIN_BRANCH_CODE: '107',
  ZENGIN_ACCOUNT_NUMBER: '7654321',
});

beforeAll(async () => {
  await withDatabaseOf(site.dataDir, async (database) => {
    const held = [
      ['甲の人', 3],
      ['乙の人', 1],
      ['丙の人', 2],
      ['丁の人', 1],
    ] as const;
    for (const [username, count] of held) {
      const artist_id = await addPayee(database, username);
      const rows = Array.from({ length: count }, (_, index) => ({
        id: `${artist_id}${index}`,
        intent_id: `intent-${artist_id}${index}`,
        sound_id: 'gone',
        artist_id,
        visitor: 'abcdefghij',
        user_id: null,
        network: 'klmnopqrst',
        reason: 'velocity',
        yen: 2,
        created_at: Date.now() - 2 * DAY_MS,
        state: 'held' as const,
        is_counted: 1 as const,
      }));
      await everyTable(database.db).insertInto('download_credits').values(rows).execute();
    }
  });
});

const readCredits = (username: string) =>
  withDatabaseOf(site.dataDir, ({ db }) =>
    everyTable(db)
      .selectFrom('download_credits')
      .innerJoin('users', 'users.id', 'download_credits.artist_id')
      .select(['download_credits.id', 'download_credits.state', 'download_credits.reason'])
      .where('users.username', '=', username)
      .orderBy('download_credits.id')
      .execute(),
  );

describe('held credits in the console', () => {
  it('are opened, rejected one by one, and approved together by keyboard', async () => {
    const page = await openConsole('/operator/credits');
    const row = page.getByRole('row').filter({ hasText: '甲の人' });
    await expect.poll(() => row.innerText()).toMatch(/ふだんより大幅に多い（3件）\s*3\s*¥6/);
    await expectAccessible(page);
    await row.getByRole('button', { name: /を開く$/ }).press('Enter');
    const credits = page.getByRole('region', { name: '報酬の表' });
    await expect.poll(() => credits.getByRole('button', { name: '却下…' }).count()).toBe(3);
    const boxes = credits.getByRole('checkbox', { name: /の報酬を選ぶ$/ });
    await boxes.first().click();
    await boxes.last().click({ modifiers: ['Shift'] });
    await page.getByText('選択 3件 ・ 合計 ¥6').waitFor();
    await boxes.last().press('ArrowUp');
    await page.keyboard.press('Space');
    await page.getByText('選択 2件 ・ 合計 ¥4').waitFor();
    const all = credits.getByRole('checkbox', { name: '報酬をすべて選ぶ', exact: true });
    await all.check();
    await all.uncheck();
    await expectNarrowTable(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await expectAccessible(page);
    await credits.getByRole('button', { name: '却下…' }).first().press('Enter');
    const dialog = page.getByRole('dialog', { name: '甲の人 さんの¥2を却下しますか？' });
    await dialog.getByRole('textbox').fill('同じ端末からの繰り返しです');
    await expectAccessible(page, 'dialog[open]');
    await dialog.getByRole('button', { name: '却下する' }).press('Enter');
    await expect.poll(() => credits.getByRole('button', { name: '却下…' }).count()).toBe(2);
    // The dialog stays until both lists are read again.
    await dialog.waitFor({ state: 'hidden' });

    await row.getByRole('button', { name: /を承認$/ }).press('Enter');
    await page.getByRole('button', { name: '承認する' }).press('Enter');
    await expect.poll(() => row.count()).toBe(0);
    expect((await readCredits('甲の人')).map(({ state }) => state).toSorted()).toEqual([
      'credited',
      'credited',
      'rejected',
    ]);
  });

  it('are chosen by keyboard in several rows, and decided together', async () => {
    const page = await openConsole('/operator/credits');
    await page.getByRole('row').filter({ hasText: '丙の人' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    const choose = async (name: string) => {
      for (let steps = 0; steps < 5 && !(await focused()).startsWith(name); steps += 1)
        await page.keyboard.press('d');
      await page.keyboard.press('Space');
    };
    const keys = page.getByRole('group', { name: '操作' });
    expect(await keys.getByRole('button', { name: '承認…' }).isDisabled()).toBe(true);
    await page.keyboard.press('e');
    await keys.getByText('まだ何も選ばれていません。').waitFor();
    await choose('丁の人');
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    await choose('丙の人');
    await keys.getByText('選択 3件 ・ 合計 ¥6').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: '2人の¥6を却下しますか？' });
    await dialog.getByRole('textbox').fill('同じ端末からの繰り返しです');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: '却下する' }).press('Enter');
    await expect
      .poll(() =>
        page
          .getByRole('row')
          .filter({ hasText: /丙の人|丁の人/ })
          .count(),
      )
      .toBe(0);
    for (const name of ['丙の人', '丁の人'])
      expect(new Set((await readCredits(name)).map(({ state }) => state))).toEqual(new Set(['rejected']));
    expect(new Set((await readCredits('乙の人')).map(({ state }) => state))).toEqual(new Set(['held']));
  });
});

describe('the file for the bank', () => {
  it('has the requests whose account is certain, names the others, and is dated', async () => {
    await withDatabaseOf(site.dataDir, async (database) => {
      const deps = toPayoutDeps(database, { now: Date.now });
      const accounts = { 送る人: ['みずほ銀行', '上野支店'], 送れない人: ['見本銀行', '中央支店'] };
      for (const [username, [bank_name = '', branch_name = '']] of Object.entries(accounts)) {
        const member = await addPayee(database, username, { bank_name, branch_name });
        await earn(database, member, 4_000, Date.now() - 60 * DAY_MS);
        await requestPayout(deps, member, { email: toAddress(username) });
      }
    });
    const page = await openConsole('/operator/payouts');
    await page.getByRole('checkbox', { name: '送金できるものをすべて選ぶ' }).check();
    const save = page.getByRole('button', { name: 'ファイルを保存' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('振込日（銀行の営業日）').fill(toBankDay(Date.now() + 3 * DAY_MS));
    const download = page.waitForEvent('download');
    await save.click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^furikomi-\d{4}-\d\d-\d\d\.txt$/);
    const bytes = await readFile(await file.path());
    expect(bytes.byteLength).toBe(4 * RECORD_BYTES);
    const trailer = bytes.toString('latin1', 2 * RECORD_BYTES, 3 * RECORD_BYTES);
    expect(trailer.slice(0, 19)).toBe('8000001000000004000');
    await page.getByText('ファイルの合計：1件 ・ ¥4,000').waitFor();
    await page.getByText('送れない人：金融機関「見本銀行」が見つかりません').waitFor();
    expect(await page.getByRole('checkbox', { name: '送る人 さんの依頼を選ぶ' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: '送れない人 さんの依頼を選ぶ' }).isChecked()).toBe(false);
    await expectAccessible(page);
  });
});

/** `2026-11-30`: this day in Japan, or the next one on which banks are open. */
function toBankDay(ms: number): string {
  const date = new Date(ms + 9 * 3_600_000).toISOString().slice(0, 10);
  return isBankDay(date) ? date : toBankDay(ms + DAY_MS);
}
