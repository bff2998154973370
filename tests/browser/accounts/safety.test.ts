import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { findFaults } from '../support/axe.ts';
import { ARTIST_EMAIL, MEMBER, PAYEE_EMAIL } from '../support/catalogue.ts';
import { letTimePass, openAsMember, readMailedLink } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { site, newPage } = useBrowser(useOwnSite());
/** Browsers log every refused request to the console. */
const allow = /400|401|403|Failed to load resource/;

async function openProfile(email: string, options = {}): Promise<Page> {
  const page = await openAsMember(newPage({ allow, ...options }), { ...MEMBER, email });
  await expect.poll(() => page.getByRole('button', { name: 'ユーザー名を編集' }).isEnabled()).toBe(true);
  return page;
}

const readMember = (email: string) =>
  withDatabaseOf(site.dataDir, ({ db }) =>
    everyTable(db).selectFrom('users').select('bank_name').where('email', '=', email).executeTakeFirst(),
  );
const prompt = (page: Page) => page.getByRole('dialog', { name: 'パスワードの確認' });

describe('a change of the bank account long after the log-in', () => {
  it('asks for the password, keeps the typed value, and can be undone with the link in its mail', async () => {
    const page = await openProfile(MEMBER.email);
    await letTimePass(site);
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('button', { name: '金融機関名を編集' }).click();
    const field = page.getByLabel('金融機関名', { exact: true });
    await field.fill('見本銀行');
    await field.press('Enter');
    const password = prompt(page).locator('input[name=password]');
    await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await prompt(page).locator('input[autocomplete=username]').inputValue()).toBe(MEMBER.email);
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => prompt(page).count()).toBe(0);
    expect(await field.inputValue()).toBe('見本銀行');
    expect(await page.locator('[data-sonner-toast]').count()).toBe(0);

    await field.press('Enter');
    await password.fill('wrong password');
    await password.press('Enter');
    await prompt(page).locator('form').getByText('パスワードが違います。').waitFor();
    // Its toast is outside the dialog, where screen readers do not reach.
    await prompt(page).getByRole('status').getByText('パスワードが違います。').waitFor();
    await password.fill(MEMBER.password);
    await password.press('Enter');
    await page.getByText('Profile updated successfully').waitFor();
    expect(await prompt(page).count()).toBe(0);
    expect(await readMember(MEMBER.email)).toEqual({ bank_name: '見本銀行' });

    const owner = await newPage({ allow });
    await owner.goto(await readMailedLink(site.dataDir, MEMBER.email, '/undo?token='));
    await owner.getByText('金融機関名').waitFor();
    expect(new URL(owner.url()).search).toBe('');
    expect(await findFaults(owner)).toEqual([]);
    await owner.getByRole('button', { name: '変更を取り消す' }).click();
    await owner.getByRole('heading', { name: '変更を取り消しました' }).waitFor();
    expect(await readMember(MEMBER.email)).toEqual({ bank_name: '' });
    // The session that made the change has ended, and the owner chooses a new password.
    await page.reload();
    await page.waitForURL('**/login?*');
    await owner.goto(await readMailedLink(site.dataDir, MEMBER.email, '/reset-password?'));
    await owner.locator('input[name=password]').waitFor();
  });
});

describe('deletions of sounds long after the log-in', () => {
  it('ask for the password from the fourth on, and the link in the mail brings the sounds back', async () => {
    const page = await openProfile(ARTIST_EMAIL);
    await letTimePass(site);
    const buttons = page.getByRole('tabpanel').getByRole('button', { name: /を削除$/ });
    const question = page.getByRole('dialog', { name: 'ファイルの削除' });
    const confirm = question.getByRole('button', { name: '削除', exact: true });
    const countDeleted = () =>
      withDatabaseOf(site.dataDir, async ({ db }) => {
        const rows = await everyTable(db)
          .selectFrom('sounds')
          .select('id')
          .where('deleted_at', 'is not', null)
          .execute();
        return rows.length;
      });
    for (let deleted = 1; deleted <= 3; deleted += 1) {
      await buttons.first().click();
      await confirm.click();
      await expect.poll(() => question.count()).toBe(0);
      expect(await countDeleted()).toBe(deleted);
    }
    await buttons.first().click();
    await confirm.click();
    const password = prompt(page).locator('input[name=password]');
    await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await findFaults(page)).toEqual([]);
    // The question stays, and nothing is deleted.
    await page.keyboard.press('Escape');
    await expect.poll(() => prompt(page).count()).toBe(0);
    expect(await countDeleted()).toBe(3);
    await confirm.click();
    await password.fill(MEMBER.password);
    await password.press('Enter');
    await expect.poll(() => question.count()).toBe(0);
    expect(await countDeleted()).toBe(4);

    await withDatabaseOf(site.dataDir, async ({ db }) => {
      await everyTable(db)
        .updateTable('mail_outbox')
        .set({ next_attempt_at: 0 })
        .where('state', '=', 'waiting')
        .execute();
    });
    const owner = await newPage({ allow });
    await owner.goto(await readMailedLink(site.dataDir, ARTIST_EMAIL, '/undo?token='));
    const restore = owner.getByRole('button', { name: 'サウンドを元に戻す' });
    await restore.waitFor();
    expect(await findFaults(owner)).toEqual([]);
    await restore.click();
    await owner.getByRole('heading', { name: 'サウンドを元に戻しました' }).waitFor();
    expect(await countDeleted()).toBe(0);
    // The session goes on.
    await page.reload();
    await buttons.first().waitFor();
  });
});

describe('a wider licence long after the log-in', () => {
  it('asks for the password, keeps what was typed, is in the history, and can be undone with the link in its mail', async () => {
    const page = await openProfile(ARTIST_EMAIL);
    await letTimePass(site);
    // There may be a mail about deletions.
    const outbox = join(site.dataDir, 'outbox');
    for (const name of await readdir(outbox)) await rm(join(outbox, name));
    const edit = page
      .getByRole('tabpanel')
      .getByRole('button', { name: /を編集$/ })
      .first();
    await edit.click();
    const editor = page.getByRole('dialog', { name: 'サウンドの編集' });
    const title = editor.getByLabel('タイトル', { exact: true });
    const former = await title.inputValue();
    await title.fill('夜の雨');
    await editor.getByRole('button', { name: '楽曲の素材' }).click();
    await editor.getByLabel('Content ID', { exact: true }).selectOption('none');
    await editor.getByLabel('Content ID', { exact: true }).press('Control+Enter');
    const password = prompt(page).locator('input[name=password]');
    await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => prompt(page).count()).toBe(0);
    expect(await title.inputValue()).toBe('夜の雨');
    await title.press('Control+Enter');
    await password.fill(MEMBER.password);
    await password.press('Enter');
    await expect.poll(() => editor.count()).toBe(0);

    await edit.click();
    await editor.getByText('変更の記録（7日間）').click();
    const undo = editor.getByRole('button', { name: /の変更を元に戻す$/ });
    await undo.waitFor();
    expect(await editor.locator('.sound-history').innerText()).toContain(`${former} → 夜の雨`);
    expect(await findFaults(page)).toEqual([]);
    await undo.first().click();
    await expect.poll(() => title.inputValue()).toBe(former);
    await expect.poll(() => editor.locator('.sound-history li').count()).toBe(2);
    await undo.first().click();
    await expect.poll(() => title.inputValue()).toBe('夜の雨');

    await withDatabaseOf(site.dataDir, async ({ db }) => {
      await everyTable(db)
        .updateTable('mail_outbox')
        .set({ next_attempt_at: 0 })
        .where('state', '=', 'waiting')
        .execute();
    });
    const owner = await newPage({ allow });
    await owner.goto(await readMailedLink(site.dataDir, ARTIST_EMAIL, '/undo?token='));
    const restore = owner.getByRole('button', { name: 'サウンドを元に戻す' });
    await restore.waitFor();
    await owner.getByText(`「${former}」（`).waitFor();
    expect(await findFaults(owner)).toEqual([]);
    await restore.click();
    await owner.getByRole('heading', { name: 'サウンドを元に戻しました' }).waitFor();
    const titles = await withDatabaseOf(site.dataDir, ({ db }) =>
      everyTable(db).selectFrom('sounds').select('title').execute(),
    );
    expect(titles.map((row) => row.title)).toContain(former);
  });
});

describe('a payout after the name was changed', () => {
  it('is held, and the dialog first says until when', async () => {
    const page = await openProfile(PAYEE_EMAIL);
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('button', { name: '氏名を編集' }).click();
    await page.getByLabel('氏名', { exact: true }).fill('受取 桃子');
    await page.keyboard.press('Enter');
    await page.getByText('Profile updated successfully').waitFor();
    await page.getByRole('button', { name: /送金/ }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/登録か変更から72時間は送金を依頼できません。.*\d+:\d\dから依頼できます。/)
      .waitFor();
    expect(await dialog.getByRole('button', { name: '依頼する' }).isDisabled()).toBe(true);
  });
});

describe('a new address for messages', () => {
  it('is shown as pending, can be mailed again, and takes effect once its link is opened', async () => {
    const page = await openProfile(ARTIST_EMAIL);
    await page.getByRole('button', { name: 'メッセージの宛先を編集' }).click();
    await page.getByLabel('メッセージの宛先', { exact: true }).fill('letters@example.test');
    await page.keyboard.press('Enter');
    await page.getByText('それまでは、今の宛先に届きます。').waitFor();
    const path = '/profile?message_email_token=';
    const first = await readMailedLink(site.dataDir, 'letters@example.test', path);
    await page.getByRole('button', { name: 'メールを再送する' }).click();
    await expect.poll(() => readMailedLink(site.dataDir, 'letters@example.test', path)).not.toBe(first);
    await page.goto(await readMailedLink(site.dataDir, 'letters@example.test', path));
    await page.getByText('メッセージの宛先を確認しました。').waitFor();
    await expect.poll(() => page.getByText('それまでは、今の宛先に届きます。').count()).toBe(0);
    await page.locator('.field-row', { hasText: 'letters@example.test' }).waitFor();
  });
});
