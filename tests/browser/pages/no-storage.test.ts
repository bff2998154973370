import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { MEMBER } from '../support/catalogue.ts';
import { fillLogin, logOut } from '../support/members.ts';
import { agree, pressDownload, putNotices } from '../support/notices.ts';
import { useBrowser, visit } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { expectToastInView } from '../support/toasts.ts';

const NOTICE = 'このブラウザーは情報を保存しない設定です';

const TITLE = '最新の戦闘音';

const { site, newPage } = useBrowser(useSite());
beforeAll(() => putNotices(site, [{}]));

/**
 * A page of a browser whose settings forbid storage, and with it channels between tabs, databases, locks and caches, as in
 * Firefox. An uncaught error fails the test.
 */
async function openForgetful(how: 'no object' | 'no calls'): Promise<Page> {
  const page = await newPage();
  await page.addInitScript((denied) => {
    // Locks and caches are not in every document, such as the empty one before the first page.
    if (!isSecureContext) return;
    const deny = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    const reject = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'));
    window.BroadcastChannel = class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        deny();
      }
    };
    IDBFactory.prototype.open = deny;
    LockManager.prototype.request = reject;
    for (const name of ['open', 'match', 'has', 'delete', 'keys'] as const)
      CacheStorage.prototype[name] = reject;
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

  it('a search, a heart that leads to log-in, and a download work', async () => {
    const page = await openForgetful(how);
    await page.clock.install();
    await visit(page, '/sounds');
    await page.locator('#search').fill(TITLE);
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=/);
    const downloading = page.waitForEvent('download');
    await pressDownload(page, TITLE);
    await agree(page);
    expect((await downloading).suggestedFilename()).toBe(`${TITLE} - 音の人.mp3`);
    await page.getByRole('button', { name: '閉じる' }).click();
    await page.locator('.favorite').first().click();
    await page.waitForURL((url) => url.pathname === '/login');
  });

  it('a sound plays, and its volume persists across navigations', async () => {
    const page = await openForgetful(how);
    await visit(page, `/sounds?search=${TITLE}`);
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
