import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { STAFF, useConsole } from '../support/console.ts';
import { runOperator } from '../support/staff.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const STEP_MS = 30_000;

const { site, openConsole } = useConsole();

const toCode = (secret: string, atMs = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
const readCodes = (page: Page) => page.locator('.security-codes code').allInnerTexts();
const setSessions = (values: object) =>
  withDatabaseOf(site.dataDir, (database) =>
    everyTable(database.db).updateTable('sessions').set(values).execute(),
  );

describe('the second factor', () => {
  it('is turned on with a code, asked for in one dialog, and turned off', async () => {
    const page = await openConsole('/operator/security', /403|400/);
    await page.getByRole('button', { name: '有効にする' }).click();
    await page.getByRole('img', { name: '認証アプリで読み取るQRコード' }).waitFor();
    await expectAccessible(page);
    const secret = (await page.locator('code.console-id').innerText()).replaceAll(' ', '');
    await page.getByLabel('認証コード').fill(toCode(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '2段階認証：有効' }).waitFor();
    const codes = await readCodes(page);
    expect(codes).toHaveLength(10);
    await expectAccessible(page);

    await setSessions({ second_factor_at: 0, authenticated_at: 0 });
    await page.goto('/operator/payouts');
    const dialog = page.getByRole('dialog', { name: '2段階認証' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.locator('input[name=password]').fill(STAFF.password);
    await dialog.getByLabel('認証コード').fill('000000');
    await page.keyboard.press('Enter');
    await dialog.locator('#code-code-error').getByText('認証コードが違います。').waitFor();
    // The code of this step has been used; the next one is within the drift.
    await dialog.getByLabel('認証コード').fill(toCode(secret, Date.now() + STEP_MS));
    await page.keyboard.press('Enter');
    await page.getByText('待っている送金依頼はありません').waitFor();

    await setSessions({ second_factor_at: 0 });
    await page.goto('/operator/security');
    await dialog.getByLabel('認証コード').fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('残りの回復コードは9個です').waitFor();
    expect(await readCodes(page)).toEqual([]);

    // Its address needs a code too, in the same dialog.
    await setSessions({ second_factor_at: 1 });
    await page.goto('/profile');
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('button', { name: 'メールアドレスを編集', exact: true }).click();
    await page.getByLabel('メールアドレス', { exact: true }).fill('new@example.test');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('認証コード').fill(codes[2] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('new@example.test').first().waitFor();
    await page.goto('/operator/security');
    await page.getByText('残りの回復コードは8個です').waitFor();

    await page.getByRole('button', { name: '無効にする…' }).click();
    await page.locator('input[name=password]').fill(STAFF.password);
    await page.getByLabel('認証コード').fill(codes[1] ?? '');
    await page.getByRole('button', { name: '無効にする', exact: true }).click();
    await page.getByRole('heading', { name: '2段階認証：無効' }).waitFor();
  });

  it('A12 is asked for with the password before a change of the site, and is turned off by a command', async () => {
    const page = await openConsole('/operator/security', /403/, { width: 320 });
    await page.getByRole('button', { name: '有効にする' }).click();
    await expectAccessible(page);
    const secret = (await page.locator('code.console-id').innerText()).replaceAll(' ', '');
    await page.getByLabel('認証コード').fill(toCode(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '2段階認証：有効' }).waitFor();
    await page.goto('/operator/site');
    const register = page.getByRole('checkbox', { name: '会員登録を受け付ける' });
    await register.waitFor();
    await setSessions({ second_factor_at: 0, authenticated_at: 0 });
    await register.click();
    const dialog = page.getByRole('dialog', { name: '2段階認証' });
    await dialog.locator('input[name=password]').fill(STAFF.password);
    await dialog.getByLabel('認証コード').fill(toCode(secret, Date.now() + STEP_MS));
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: '会員登録を受け付ける', checked: false }).waitFor();
    await runOperator(site, 'members', 'reset-second-factor', STAFF.email, '--as', STAFF.email);
    await page.goto('/operator/security');
    await page.getByRole('heading', { name: '2段階認証：無効' }).waitFor();
  });
});
