import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { WIDTHS, expectAccessible, findFaults } from '../support/axe.ts';
import { ARTIST_EMAIL, MEMBER, PAYEE_EMAIL } from '../support/catalogue.ts';
import { letTimePass, openAsMember, readMailedLink } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { site, newPage } = useBrowser(useSite());
/** Browsers log every refused request to the console. */
const allow = /400|401|403|404|Failed to load resource/;

async function givePassword(page: Page): Promise<void> {
  const password = page.getByRole('dialog', { name: 'パスワードの確認' }).locator('input[name=password]');
  await password.fill(MEMBER.password);
  await password.press('Enter');
}
const dialog = (page: Page) => page.getByRole('dialog', { name: 'アカウントの削除' });
const opener = (page: Page) => page.getByRole('button', { name: 'アカウントを削除する' }).first();

describe('a member', () => {
  it('exports the own data as a ZIP file, after giving the password', async () => {
    const page = await openAsMember(newPage({ allow }));
    const button = page.getByRole('button', { name: 'データを書き出す' });
    await button.waitFor();
    await letTimePass(site);
    await button.click();
    // The toast lasts two seconds, and the file may take longer.
    const toast = page.getByText('ダウンロードを始めました。').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), toast, givePassword(page)]);
    expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.zip$/);
    const zip = await readFile(await download.path());
    expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
    expect(zip.includes(MEMBER.email)).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/profile');
  });

  it('sees what a deletion means at every width, and that a cancelled one changes nothing', async () => {
    const page = await openAsMember(newPage({ allow }), { ...MEMBER, email: PAYEE_EMAIL });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await opener(page).click();
      const consent = dialog(page).getByRole('checkbox');
      await consent.waitFor();
      expect(await dialog(page).getByText('受け取れなくなる報酬残高').count()).toBe(1);
      const confirm = dialog(page).getByRole('button', { name: 'アカウントを削除する' });
      expect(await confirm.isDisabled()).toBe(true);
      const box = await dialog(page).boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(width);
      await consent.check();
      expect(await confirm.isEnabled()).toBe(true);
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog(page).count()).toBe(0);
      await expect.poll(() => opener(page).evaluate((it) => it === document.activeElement)).toBe(true);
    }
    await opener(page).click();
    await dialog(page).getByRole('checkbox').waitFor();
    await expectAccessible(page);
  });

  it('deletes the account with the password, and restores it with the mailed link', async () => {
    const page = await openAsMember(newPage({ allow }), { ...MEMBER, email: ARTIST_EMAIL });
    await opener(page).waitFor();
    const readArtist = () =>
      withDatabaseOf(site.dataDir, ({ db }) =>
        everyTable(db)
          .selectFrom('users')
          .select(['username', 'deletion_requested_at'])
          .where('email', '=', ARTIST_EMAIL)
          .executeTakeFirstOrThrow(),
      );
    const { username } = await readArtist();
    const statusOf = async () => (await fetch(`${site.url}/artist/${encodeURIComponent(username)}`)).status;
    expect(await statusOf()).toBe(200);
    await letTimePass(site);
    await opener(page).click();
    await dialog(page).getByRole('checkbox').check();
    await dialog(page).getByRole('button', { name: 'アカウントを削除する' }).click();
    await givePassword(page);
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByText('アカウントの削除を受け付けました。').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect((await readArtist()).deletion_requested_at).not.toBeNull();
    expect(
      await page.evaluate(() => ['token', 'refresh', 'auth'].filter((key) => localStorage.getItem(key))),
    ).toEqual([]);
    await expect.poll(statusOf).toBe(404);
    await page.goto('/profile');
    await page.waitForURL((url) => url.pathname === '/login');

    await page.goto(await readMailedLink(site.dataDir, ARTIST_EMAIL, '/undo?token='));
    await page.getByText('に受け付けたアカウントの削除を取り消します。').waitFor();
    await page.getByRole('button', { name: '取り消して、パスワードを変える' }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: '削除を取り消す' }).click();
    await page.getByRole('heading', { name: 'アカウントの削除を取り消しました' }).waitFor();
    await expect.poll(async () => (await readArtist()).deletion_requested_at).toBeNull();
    await expect.poll(statusOf).toBe(200);
  });
});
