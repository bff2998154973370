import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';
import { runOperator } from '../support/staff.ts';

const STAFF = { email: 'careful-staff@example.test', password: 'member password' };
const STEP_MS = 30_000;

const site = useOwnSite();
const { newPage } = useBrowser(() => site.url);

beforeAll(async () => {
  await withDatabaseOf(site.dataDir, async (database) => {
    const password_hash = await hashPassword(STAFF.password);
    await createUser(database, { username: '運営', email: STAFF.email, is_staff: true, password_hash });
  });
});

const toCode = (secret: string, atMs = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
const readCodes = (page: Page) => page.locator('.security-codes code').allInnerTexts();
const setSessions = (values: object) =>
  withDatabaseOf(site.dataDir, (database) => database.db.updateTable('sessions').set(values).execute());

describe('the second factor', () => {
  it('is turned on with a code, asked for in one dialog, and turned off', async () => {
    const page = await newPage({ allow: /403|400/ });
    await openAsMember(page, STAFF, '/operator/security');
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

    await page.getByRole('button', { name: '無効にする…' }).click();
    await page.locator('input[name=password]').fill(STAFF.password);
    await page.getByLabel('認証コード').fill(codes[1] ?? '');
    await page.getByRole('button', { name: '無効にする', exact: true }).click();
    await page.getByRole('heading', { name: '2段階認証：無効' }).waitFor();
  });

  it('A12 is asked for with the password before a change of the site, and is turned off by a command', async () => {
    const page = await newPage({ width: 320, allow: /403/ });
    await openAsMember(page, STAFF, '/operator/security');
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
