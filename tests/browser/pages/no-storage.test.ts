import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MEMBER } from '../support/catalogue.ts';
import { fillLogin, logOut } from '../support/members.ts';
import { useBrowser, visit } from '../support/pages.ts';
import { expectToastInView } from '../support/toasts.ts';

const { newPage } = useBrowser();

const NOTICE = 'このブラウザーは情報を保存しない設定です';

/** A page of a browser whose settings forbid storage. An uncaught error fails the test. */
async function openForgetful(how: 'no object' | 'no calls'): Promise<Page> {
  const page = await newPage();
  await page.addInitScript((denied) => {
    const deny = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    if (denied === 'no calls') {
      for (const name of ['getItem', 'setItem', 'removeItem']) Reflect.set(Storage.prototype, name, deny);
      return;
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: deny });
  }, how);
  return page;
}

describe.each(['no object', 'no calls'] as const)('with storage denied (%s)', (how) => {
  it('keyboard shortcuts work', async () => {
    const page = await openForgetful(how);
    await visit(page, '/sounds');
    await page.keyboard.press('x');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('?');
    await page.locator('dialog:modal').waitFor();
  });

  it('a log-in lasts as long as the page, and the page says so once', async () => {
    const page = await openForgetful(how);
    await page.goto('/login');
    await expectToastInView(page, NOTICE);
    await fillLogin(page, MEMBER);
    await page.waitForURL((url) => url.pathname === '/profile');
    await page.getByRole('heading', { name: '報酬', exact: true }).waitFor();
    await page.locator('[data-sonner-toast]').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'サウンド', exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/sounds');
    await page.getByRole('button', { name: 'ログアウト' }).waitFor();
    expect(await page.locator('[data-sonner-toast]').count()).toBe(0);
    await logOut(page);
    await page.getByRole('link', { name: 'ログイン' }).first().waitFor();
  });

  it('a sound plays, and its volume persists across navigations', async () => {
    const page = await openForgetful(how);
    await visit(page, '/sounds');
    await page.locator('[data-play]').first().click();
    await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
    await page.keyboard.press('ArrowDown');
    const readVolume = () => page.evaluate(() => localStorage.getItem('player:volume'));
    await expect.poll(readVolume).toBe('0.9');
    await page.getByRole('banner').getByRole('link').first().click();
    await page.waitForURL((url) => url.pathname === '/');
    expect(await readVolume()).toBe('0.9');
  });
});
