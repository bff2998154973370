import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { OTHER_STAFF, STAFF, givePassword, useConsole } from '../support/console.ts';
import { openAsMember } from '../support/members.ts';
import { waitForAnswers } from '../support/pages.ts';
import { runOperator } from '../support/staff.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MEMBER = 'kaze@example.test';
const REVOKED = 'rain@example.test';

const { site, newPage, openConsole, forgetPassword } = useConsole();

beforeAll(async () => {
  await withDatabaseOf(site.dataDir, async (database) => {
    const password_hash = await hashPassword(STAFF.password);
    await createUser(database, {
      username: '風の人',
      email: MEMBER,
      name: '風見 鶏',
      is_verified: true,
      password_hash,
    });
    const artist_id = await createUser(database, {
      username: '雨の人',
      email: REVOKED,
      is_verified: true,
      password_hash,
    });
    await everyTable(database.db)
      .insertInto('quality_checks')
      .values({ id: 'passed', user_id: artist_id, state: 'approved', submitted_at: 1, decided_at: 2 })
      .execute();
    await createUser(database, { username: '後の人', email: 'later@example.test', password_hash });
    await createUser(database, { username: '風車', email: 'mill@example.test', is_blocked: true });
  });
});

const readFocused = (page: Page) => page.evaluate(() => document.activeElement?.id);
const readMember = (email: string) =>
  withDatabaseOf(site.dataDir, ({ db }) =>
    everyTable(db).selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow(),
  );

describe('members in the console', () => {
  it('are found from the staff’s own profile, opened and blocked by keyboard', async () => {
    const page = await openConsole('/profile');
    await page.getByRole('link', { name: '運営コンソール' }).click();
    await page.getByRole('navigation', { name: '運営' }).getByRole('link', { name: '検索' }).click();
    const box = page.getByRole('searchbox', { name: 'メンバーを検索' });
    await expect.poll(() => box.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.type('風');
    await expect.poll(() => page.locator('.member-row').allInnerTexts()).toHaveLength(2);
    expect(await page.locator('.member-row').nth(1).innerText()).toContain('制限中');
    await expectAccessible(page);

    await box.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '風の人' }).waitFor();
    await page.getByText('風見 鶏').waitFor();
    await page.getByText('送金の依頼はありません。').waitFor();
    const sounds = page.locator('.member-facts').getByRole('link', { name: '0件' });
    expect(await sounds.getAttribute('href')).toBe(`/operator/sounds?artist=${encodeURIComponent('風の人')}`);
    await expectAccessible(page);
    await page.getByRole('button', { name: '制限する…' }).focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: '風の人 さん：制限する' });
    await question.getByText('すべての端末からログアウトします').waitFor();
    await expectAccessible(page, 'dialog[open]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('制限中').waitFor();
    await expect.poll(() => readFocused(page)).toBe('member-name');
    expect(await readMember(MEMBER)).toMatchObject({ is_blocked: 1, suspension_reason: null });
    await page.locator('.member-lines').getByText('メンバー：制限').waitFor();

    await page.goBack();
    await expect.poll(() => page.locator('.member-row').allInnerTexts()).toHaveLength(2);
  });

  it('are shown after the password, and suspended with a reason that they read', async () => {
    const page = await openConsole('/operator/members?search=mill', /403/);
    await page.locator('.member-row').waitFor();
    await forgetPassword();
    await page.locator('.member-row').click();
    await givePassword(page);
    await page.getByRole('button', { name: '停止する…' }).click();
    const dialog = page.getByRole('dialog', { name: '風車 さん：停止する' });
    await dialog.getByLabel('理由').fill('無断転載が確認されたため');
    await expectAccessible(page, 'dialog[open]');
    await dialog.getByRole('button', { name: '停止する', exact: true }).click();
    await page.getByText('停止中').waitFor();
    await page.locator('.member-lines').getByText('アカウントを停止しました').waitFor();
    await expect.poll(() => readFocused(page)).toBe('member-name');
    await page.locator('.member-facts').getByText('無断転載が確認されたため').waitFor();
    expect(await readMember('mill@example.test')).toMatchObject({
      suspension_reason: '無断転載が確認されたため',
      was_blocked: 1,
    });
  });

  it('lose a passed quality check for a reason', async () => {
    const { id } = await readMember(REVOKED);
    const page = await openConsole(`/operator/members?id=${id}`);
    await page.getByRole('button', { name: '合格を取り消す…' }).click();
    const dialog = page.getByRole('dialog', { name: '雨の人 さん：合格を取り消す' });
    const send = dialog.getByRole('button', { name: '合格を取り消す', exact: true });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('理由').fill('他人の作品を提出していました');
    await expectAccessible(page, 'dialog[open]');
    await send.click();
    await page.locator('.member-lines').getByText('クオリティチェック：合格の取り消し').waitFor();
    await page.locator('.member-facts').getByText('未合格').waitFor();
    await expect.poll(() => readFocused(page)).toBe('member-name');
    expect(await readMember(REVOKED)).toMatchObject({ is_verified: 0, status: '' });
  });

  it('read why a check was revoked, can apply again, and still see their sounds', async () => {
    const decision = { state: 'rejected', reason: '二度目の理由' } as const;
    await withDatabaseOf(site.dataDir, async ({ db }) => {
      await everyTable(db)
        .updateTable('users')
        .set({ is_verified: 0 })
        .where('email', '=', REVOKED)
        .execute();
      await everyTable(db).updateTable('quality_checks').set(decision).execute();
    });
    const page = await newPage();
    await page.route('**/api/account/profile/**', async (route) => {
      const profile = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...profile, has_sounds: true } });
    });
    await openAsMember(page, { email: REVOKED, password: STAFF.password });
    await page.getByText('理由：二度目の理由').waitFor();
    await page.getByRole('button', { name: '申請する' }).waitFor();
    await page.getByText('現在、新しいサウンドは追加できません。').waitFor();
    expect(await page.locator('[role=tabpanel] input[type=file]').count()).toBe(0);
  });

  it('are decided on once: the second of two learns who was first', async () => {
    const { id } = await readMember('later@example.test');
    const member = await openAsMember(newPage(), { email: 'later@example.test', password: STAFF.password });
    await member.close();
    const page = await openConsole(`/operator/members?id=${id}`, /409/);
    await page.getByRole('button', { name: 'すべてログアウトさせる…' }).waitFor();
    expect(await page.locator('.member-lines').innerText()).toContain('最後の利用 1時間以内');
    await runOperator(site, 'members', 'block', 'later@example.test', '--as', OTHER_STAFF);
    await page.getByRole('button', { name: '制限する…' }).click();
    await page.getByRole('button', { name: '制限する', exact: true }).click();
    await page.getByText('別の運営 さんが先に制限しています。').waitFor();
    await page.getByRole('button', { name: '制限を解除する…' }).waitFor();
    await page.getByText('ログイン中の端末はありません。').waitFor();
  });

  it('who are no staff see no link to the console', async () => {
    const page = await openAsMember(newPage(), { email: 'later@example.test', password: STAFF.password });
    await page.getByText('クオリティチェック').first().waitFor();
    await waitForAnswers(page);
    expect(await page.getByRole('link', { name: '運営コンソール' }).count()).toBe(0);
  });
});
