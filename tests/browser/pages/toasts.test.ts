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

  it('stacked, each readable, without a pointer over them', async () => {
    const refusals = ['一つ目の問題です。', '二つ目の問題です。', '三つ目の問題です。'];
    const { page, send } = await openRefusingForm(refusals, { width: 320, height: 568, hasTouch: true });
    await send();
    for (const text of refusals) await expectToastInView(page, text);
  });

  it('as many as fit the viewport, and the rest when there is room', async () => {
    const refusals = Array.from({ length: 12 }, (_, index) => `${index}番目の値は使えません。`.repeat(4));
    const { page, send } = await openRefusingForm(refusals, { width: 320, height: 480 });
    await send();
    await shown(page).first().waitFor();
    const seen = new Set<string>();
    const deadline = Date.now() + 40_000;
    while (seen.size < refusals.length && Date.now() < deadline) {
      const resting = await shown(page).evaluateAll((toasts) =>
        toasts
          .filter((toast) => toast.getAnimations().length === 0)
          .map((toast) => ({
            text: toast.textContent,
            opacity: getComputedStyle(toast).opacity,
            top: toast.getBoundingClientRect().top,
            bottom: toast.getBoundingClientRect().bottom,
          })),
      );
      for (const { text, opacity, top, bottom } of resting) {
        expect([opacity, bottom <= 480]).toEqual(['1', true]);
        const isCovered = resting.some(
          (other) => other.text !== text && other.top < bottom && top < other.bottom,
        );
        if (!isCovered) seen.add(text);
      }
      await page.waitForTimeout(100);
    }
    expect([...seen].toSorted()).toEqual(refusals.toSorted());
  });

  it('at most twenty at once, and the rest of one refusal as others leave', async () => {
    const refusals = Array.from({ length: 26 }, (_, index) => `${index}番目の値は使えません。`);
    const { page, send } = await openRefusingForm(refusals, { width: 1440, height: 2400 });
    await page.evaluate(() => {
      const seen = new Set<string>();
      const state = Object.assign(globalThis, { seen, most: 0 });
      new MutationObserver(() => {
        const toasts = document.querySelectorAll('[data-sonner-toast]:not([data-removed=true])');
        for (const { textContent } of toasts) seen.add(textContent);
        state.most = Math.max(state.most, toasts.length);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await send();
    const read = () =>
      page.evaluate(() => {
        const { seen, most } = globalThis as unknown as { seen: Set<string>; most: number };
        return { seen: [...seen].toSorted(), most };
      });
    await expect.poll(read, { timeout: 15_000 }).toEqual({ seen: refusals.toSorted(), most: 20 });
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
