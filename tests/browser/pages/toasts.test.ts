import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type OpenOptions, useBrowser } from '../support/pages.ts';
import { expectToastInView } from '../support/toasts.ts';

const { newPage } = useBrowser();

const CONFIRMED = 'User confirmed. Please login';
const NOT_CONFIRMED = 'Error confirming user';
const submitOf = (page: Page) => page.getByRole('main').locator('button[type=submit]');
const shown = (page: Page) => page.locator('[data-sonner-toast]:not([data-removed=true])');

/** The page of a confirmation link. The host's answer determines the toast. */
async function openConfirmation(page: Page, status: 200 | 400): Promise<void> {
  await page.route('**/api/account/verify-email/**', (route) => route.fulfill({ status, json: {} }));
  await page.goto('/login?user=1&token=2');
}

/** The registration form on a host that rejects it with these values, each of which is a toast. */
async function openRefusingForm(
  refusals: readonly string[],
  options: OpenOptions = {},
): Promise<{ page: Page; send: () => Promise<void> }> {
  const page = await newPage({ allow: /400/, ...options });
  await page.route('**/api/account/register/', (route) =>
    route.fulfill({
      status: 400,
      json: Object.fromEntries(refusals.map((text, index) => [`f${index}`, text])),
    }),
  );
  await page.goto('/register');
  await expect.poll(() => submitOf(page).isEnabled()).toBe(true);
  const main = page.getByRole('main');
  await main.locator('[name=username]').fill('新しい人');
  await main.locator('[name=email]').fill('new@example.test');
  await main.locator('[name=password]').fill('a long enough one');
  await main.locator('[name=terms]').check();
  // A pointer over toasts keeps them open.
  await page.mouse.move(1, 1);
  return { page, send: () => main.locator('[name=password]').press('Enter') };
}

describe('toasts are in view', () => {
  it('before and after navigations', async () => {
    const page = await newPage({ allow: /400/ });
    await openConfirmation(page, 200);
    await expectToastInView(page, CONFIRMED);
    await page.getByRole('banner').getByRole('link').first().click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByRole('link', { name: 'ログイン' }).first().click();
    await page.getByRole('link', { name: /登録/ }).first().click();
    await page.waitForURL((url) => url.pathname === '/register');
    await page.route('**/api/account/register/', (route) =>
      route.fulfill({ status: 400, json: { detail: '登録できません。' } }),
    );
    const main = page.getByRole('main');
    await main.locator('[name=username]').fill('新しい人');
    await main.locator('[name=email]').fill('new@example.test');
    await main.locator('[name=password]').fill('a long enough one');
    await main.locator('[name=terms]').check();
    await submitOf(page).click();
    await expectToastInView(page, '登録できません。');
  });

  it.each(['light', 'dark'] as const)('with enough contrast (%s)', async (colorScheme) => {
    const success = await newPage({ colorScheme });
    await openConfirmation(success, 200);
    await expectToastInView(success, CONFIRMED);
    const error = await newPage({ colorScheme, allow: /400/ });
    await openConfirmation(error, 400);
    await expectToastInView(error, NOT_CONFIRMED);
  });

  it('over a dialog that opens after them', async () => {
    const { page, send } = await openRefusingForm(['登録できません。'], { width: 320, height: 640 });
    await send();
    await expectToastInView(page, '登録できません。');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('?');
    await page.locator('dialog:modal').waitFor();
    await expectToastInView(page, '登録できません。');
  });

  it.each([
    { width: 320, height: 568, count: 7, sentences: 1 },
    { width: 320, height: 568, count: 4, sentences: 4 },
    { width: 1440, height: 900, count: 12, sentences: 1 },
  ])(
    'one below the other, each readable, without a pointer over them ($width px, $count)',
    async ({ width, height, count, sentences }) => {
      const refusals = Array.from({ length: count }, (_, index) =>
        `${index}番目の値は使えません。`.repeat(sentences),
      );
      const { page, send } = await openRefusingForm(refusals, { width, height, hasTouch: width === 320 });
      await send();
      for (const text of refusals) await expectToastInView(page, text);
    },
  );

  it('at most twenty at once', async () => {
    const refusals = Array.from({ length: 26 }, (_, index) => `${index}番目の値は使えません。`);
    const { page, send } = await openRefusingForm(refusals, { width: 1440, height: 2400 });
    await send();
    await expect.poll(() => shown(page).count()).toBe(26);
    expect(await page.locator('[data-sonner-toast][data-visible=true]').count()).toBe(20);
  });

  it('again when the same message is raised while the first one fades out', async () => {
    const { page, send } = await openRefusingForm(['登録できません。']);
    await send();
    await expectToastInView(page, '登録できません。');
    await page.waitForFunction(() => document.querySelector('[data-sonner-toast][data-removed=true]'));
    await send();
    await expectToastInView(page, '登録できません。');
  });

  it('once when the same message is raised while it is shown', async () => {
    const { page, send } = await openRefusingForm(['登録できません。']);
    await send();
    await expectToastInView(page, '登録できません。');
    const reply = page.waitForResponse('**/api/account/register/');
    await send();
    await reply;
    await expectToastInView(page, '登録できません。');
    expect(await shown(page).count()).toBe(1);
  });
});
