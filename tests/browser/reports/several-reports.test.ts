import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { addArtist, addSound, openMySounds } from '../support/artists.ts';
import { expectAccessible } from '../support/axe.ts';
import { answerRequests, useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { site, newPage } = useBrowser(useSite());

describe('several reports', () => {
  const TOTAL = 4;
  let serial = 0;

  /** Confirmed reports of new sounds, of which the artist was told. */
  async function openReports(options = {}): Promise<Page> {
    serial += 1;
    const name = `巻貝${serial}`;
    const owner = await addArtist(site, name);
    await withDatabaseOf(site.dataDir, async ({ db }) => {
      const { id: artist_id } = await everyTable(db)
        .selectFrom('users')
        .select('id')
        .where('username', '=', name)
        .executeTakeFirstOrThrow();
      for (let index = 1; index <= TOTAL; index += 1) {
        const sound_title = `波の音 第${index}番`;
        const sound_id = await addSound(site, owner, sound_title);
        const at = Date.now() - index;
        const report = {
          id: `${serial}several${index}`,
          sound_id,
          sound_title,
          artist_id,
          reason: 'copyright' as const,
          name: '権利 花子',
          email: `r${index}@example.test`,
          email_key: `r${index}@example.test`,
          explanation: `${index}番目の説明です。`,
          shares_name: 0 as const,
          network: '',
          secret_hash: `${serial}several${index}`,
          state: 'waiting' as const,
          is_confirmed: 1 as const,
          version: 2,
          due_at: at + 7 * 86_400_000,
          created_at: at,
          updated_at: at,
        };
        await everyTable(db).insertInto('reports').values(report).execute();
      }
    });
    const page = await newPage(options);
    await openMySounds(page, owner);
    return page;
  }
  const boxes = (page: Page) => page.getByRole('checkbox');
  const answerOf = (page: Page) => page.getByRole('textbox', { name: '選んだ報告への回答' });

  it('W22: are answered at once on a page of their own, and one of them later', async () => {
    const page = await openReports();
    await page.getByRole('link', { name: `${TOTAL}件にまとめて回答する` }).click();
    await page.waitForURL(/\/profile\/reports$/);
    await expect.poll(() => boxes(page).count()).toBe(TOTAL);
    await expectAccessible(page);
    const send = page.getByRole('button', { name: /件に回答を送信する$/ });
    expect(await send.isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'すべて選ぶ' }).click();
    await page.getByText('4件のうち4件を選んでいます').waitFor();
    await page.getByRole('checkbox', { name: /第2番/ }).uncheck();
    await page.getByText('4件のうち3件を選んでいます').waitFor();
    await answerOf(page).fill('どれも自作です。');
    await page.getByRole('button', { name: /第2番の報告：確認して回答/ }).click();
    await page.getByRole('dialog', { name: '報告の内容' }).getByText('2番目の説明です。').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '3件に回答を送信する' }).click();
    await page.getByText('3件の報告に回答しました。').waitFor();
    await expect.poll(() => boxes(page).count()).toBe(1);
    const reviewed = page.getByRole('region', { name: '運営者が確認している報告' });
    expect(await reviewed.getByRole('listitem').count()).toBe(3);
    expect(await answerOf(page).inputValue()).toBe('');
    await expectAccessible(page);
    const answers = await withDatabaseOf(site.dataDir, ({ db }) =>
      everyTable(db)
        .selectFrom('reports')
        .select(['sound_title', 'answer'])
        .where('id', 'like', `${serial}several%`)
        .orderBy('sound_title')
        .execute(),
    );
    expect(answers.map(({ answer }) => answer)).toEqual([
      'どれも自作です。',
      '',
      'どれも自作です。',
      'どれも自作です。',
    ]);
  });

  it('keep the text when the host refuses it, in a narrow window and with the keyboard alone', async () => {
    const page = await openReports({ width: 320, height: 700, allow: /503/ });
    await page.goto('/profile/reports');
    await expect.poll(() => boxes(page).count()).toBe(TOTAL);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const accept = await answerRequests(page, /report-answers/, (route) =>
      route.fulfill({ status: 503, json: { detail: 'ただいま混み合っています。' } }),
    );
    await boxes(page).first().focus();
    await page.keyboard.press('Space');
    await answerOf(page).focus();
    await page.keyboard.type('自作です。');
    await page.keyboard.press('Control+Enter');
    await page.getByText('ただいま混み合っています。').first().waitFor();
    expect(await answerOf(page).inputValue()).toBe('自作です。');
    accept();
    await page.reload();
    await expect.poll(() => answerOf(page).inputValue()).toBe('自作です。');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await boxes(page).last().press('Space');
    await answerOf(page).press('Control+Enter');
    await page.getByText('1件の報告に回答しました。').waitFor();
    await expect.poll(() => boxes(page).count()).toBe(TOTAL - 1);
  });

  it('have no page for visitors, and an empty one for members without reports', async () => {
    const page = await newPage();
    await page.goto('/profile/reports');
    await page.waitForURL(/\/login\?redirect=/);
    const member = await newPage();
    await openMySounds(member, await addArtist(site, '静かな人'));
    await member.goto('/profile/reports');
    await member.getByText('あなたのサウンドへの報告はありません。').waitFor();
  });
});
