import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { logIn, readSession } from '../support/members.ts';
import { answerRequests, useBrowser, visit, waitForHydration, waitForScripts } from '../support/pages.ts';
import { expectToastInView } from '../support/toasts.ts';

const { open, newPage } = useBrowser();

/** What the browser and the page log about scripts that fail to load. */
const UNLOADED = /Failed to load resource|Failed to fetch|could not be loaded|TypeError|ERR_|_astro/;
const submitOf = (page: Page) => page.getByRole('main').locator('button[type=submit]');
const errorBox = (page: Page) => page.getByRole('alert').filter({ hasText: 'Something went wrong!' });
const offlineNotice = (page: Page) => page.locator('#offline:popover-open');

async function countLoads(page: Page): Promise<() => number> {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

describe('without a connection', () => {
  const presses = [
    [
      'a download',
      (page: Page) =>
        page
          .getByRole('button', { name: /ダウンロード/ })
          .first()
          .click(),
    ],
    ['the sheet of keys', (page: Page) => page.keyboard.press('?')],
  ] as const;

  it.each(presses)(
    '%s shows a message, and works with the next press once the connection is back',
    async (_, press) => {
      const page = await open('/sounds', { allow: UNLOADED });
      await page.context().setOffline(true);
      await press(page);
      await offlineNotice(page).waitFor();
      await page.context().setOffline(false);
      await page.locator('h1').first().click();
      await press(page);
      await page.locator('dialog:modal').waitFor();
      expect(await offlineNotice(page).count()).toBe(0);
    },
  );

  it.each([320, 768, 1440])(
    'the message covers neither navbar nor player nor the middle of a dialog at %d px',
    async (width) => {
      const page = await open('/sounds', { allow: UNLOADED, width, height: 568 });
      await page.locator('[data-play]').first().click();
      const bar = page.getByRole('region', { name: 'プレーヤー' });
      await bar.waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      await page.context().setOffline(true);
      await page.keyboard.press('?');
      await offlineNotice(page).waitFor();
      const toBox = async () => (await offlineNotice(page).boundingBox())!;
      const { y, height } = await toBox();
      const header = (await page.locator('header').first().boundingBox())!;
      expect(y).toBeGreaterThanOrEqual(header.y + header.height);
      await expect.poll(async () => (await bar.boundingBox())?.y).toBeCloseTo(y + height);
      await page.context().setOffline(false);
      await page.locator('h1').first().click();
      await page.keyboard.press('?');
      await page.locator('dialog:modal').waitFor();
      await page.evaluate(() => document.getElementById('offline')?.showPopover());
      const over = await toBox();
      expect(over.y + over.height).toBe(568);
      expect(over.height).toBeLessThan(568 * 0.2);
    },
  );

  it('log-out shows a message, and works with the next press once the connection is back', async () => {
    const page = await newPage({ allow: UNLOADED });
    await logIn(page);
    await visit(page, '/member-terms');
    const logOut = page.getByRole('button', { name: 'ログアウト' });
    // The browser's cache has the script from the log-in.
    const connect = await answerRequests(page, '**/_astro/actions.*.js', (route) => route.abort());
    await logOut.click();
    await offlineNotice(page).waitFor();
    expect(await readSession(page)).toMatchObject({ auth: { isAuthenticated: true } });
    connect();
    await page.locator('h1').click();
    await logOut.click();
    await page.waitForURL((url) => url.pathname === '/');
    expect(await readSession(page)).toEqual({ auth: null, token: null, refresh: null });
  });

  it('a script that another one needs does not block that one permanently', async () => {
    const page = await open('/member-terms', { allow: UNLOADED });
    const connect = await answerRequests(page, '**/_astro/react.*.js', (route) => route.abort());
    await page.keyboard.press('?');
    await offlineNotice(page).waitFor();
    connect();
    await page.keyboard.press('?');
    await page.locator('dialog:modal').waitFor();
  });

  it('search shows a message, and finds results once the connection is back', async () => {
    const page = await open('/sounds', { allow: UNLOADED });
    await page.context().setOffline(true);
    await page.getByRole('searchbox').fill('雨');
    await offlineNotice(page).waitFor();
    await page.context().setOffline(false);
    await page.waitForURL(/search=%E9%9B%A8/);
    await page.getByRole('status').filter({ hasText: '「雨」の検索結果' }).waitFor();
    expect(await offlineNotice(page).count()).toBe(0);
  });

  it('an island waits, and hydrates once the connection is back, without a reload', async () => {
    const page = await newPage({ allow: UNLOADED });
    const loads = await countLoads(page);
    const connect = await answerRequests(page, '**/_astro/LoginForm.*.js', (route) => route.abort());
    await page.goto('/login');
    await offlineNotice(page).waitFor();
    expect(await submitOf(page).isEnabled()).toBe(false);
    connect();
    await expect.poll(() => submitOf(page).isEnabled()).toBe(true);
    expect(await offlineNotice(page).count()).toBe(0);
    expect(loads()).toBe(1);
  });

  it('a toast needs no script that is not loaded yet', async () => {
    const page = await newPage({ allow: /400|_astro|Failed to load|TypeError/ });
    await page.route('**/_astro/Toaster.*.js', (route) => route.abort());
    await page.route('**/api/account/verify-email/**', (route) => route.fulfill({ status: 400, json: {} }));
    await page.goto('/login?user=1&token=2');
    await page.locator('.plain-toast').waitFor();
    await offlineNotice(page).waitFor();
    await expectToastInView(page, 'Error confirming user');
  });
});

describe('a script that a deployment removed', () => {
  it.each(['/login', '/contact', '/register'])('leads to one reload on %s', async (path) => {
    const page = await newPage({ allow: UNLOADED });
    const loads = await countLoads(page);
    const restore = await answerRequests(page, /_astro\/(Login|Contact|Register)Form\..*\.js$/, (route) =>
      route.fulfill({ status: 404 }),
    );
    page.on('framenavigated', () => loads() < 2 || restore());
    await page.goto(path);
    await expect.poll(() => submitOf(page).isEnabled()).toBe(true);
    expect(loads()).toBe(2);
    expect(await errorBox(page).count()).toBe(0);
  });

  it.each(['/login', '/contact'])(
    'leads to the error box on %s where a reload does not help',
    async (path) => {
      const page = await newPage({ allow: UNLOADED });
      const loads = await countLoads(page);
      await page.route(/_astro\/(Login|Contact)Form\..*\.js$/, (route) => route.fulfill({ status: 404 }));
      await page.goto(path);
      await errorBox(page).waitFor();
      expect(loads()).toBe(2);
      const details = errorBox(page).locator('details');
      expect(await details.locator('code').isVisible()).toBe(false);
      await page.getByText('Show Error').click();
      expect(await details.locator('code').innerText()).toContain('Form');
      await page.getByText('Hide Error').click();
      expect(await details.locator('code').isVisible()).toBe(false);
    },
  );

  it('leads to one reload when its function is first used', async () => {
    const page = await open('/sounds', { allow: UNLOADED });
    const restore = await answerRequests(page, '**/_astro/help-sheet.*.js', (route) =>
      route.fulfill({ status: 404 }),
    );
    const reloaded = page.waitForEvent('domcontentloaded');
    await page.keyboard.press('?');
    await reloaded;
    restore();
    await waitForHydration(page);
    await page.keyboard.press('?');
    await page.locator('dialog:modal').waitFor();
  });

  it('leads to the error box when a reload has not helped', async () => {
    const page = await newPage({ allow: UNLOADED });
    await page.addInitScript(() => sessionStorage.setItem('reloaded', `${Date.now()}`));
    await page.route('**/_astro/help-sheet.*.js', (route) => route.fulfill({ status: 404 }));
    await visit(page, '/sounds');
    await page.keyboard.press('?');
    await errorBox(page).waitFor();
  });
});

describe('an island that fails', () => {
  it.each(['/artist/音の人', '/login', '/register', '/contact', '/forgot-password'])(
    'shows the error box in its place and leaves the rest of %s unchanged',
    async (path) => {
      const page = await newPage({ allow: /./ });
      await page.route(
        (url) => url.pathname === new URL(path, url).pathname,
        async (route) => {
          const reply = await route.fetch();
          const body = (await reply.text()).replaceAll(
            /component-export="\w+"/g,
            'component-export="broken"',
          );
          await route.fulfill({ response: reply, body });
        },
      );
      await page.goto(path);
      await waitForScripts(page);
      const islands = page.locator('main astro-island');
      expect(await islands.count()).toBeGreaterThan(0);
      for (const island of await islands.all()) {
        await island.dispatchEvent('pointerover');
        await island.getByText('Something went wrong!').waitFor();
      }
      await page.getByRole('banner').getByRole('link', { name: 'サウンド' }).click();
      await page.waitForURL((url) => url.pathname === '/sounds');
    },
  );

  it('shows the error box in the place of a heart, and the rest of the card works', async () => {
    const page = await newPage({ allow: /./ });
    await page.route('**/_astro/sounds.*.js', async (route) => {
      const reply = await route.fetch();
      const body = (await reply.text()).replace('`お気に入り：${', '`お気に入り：${missing.');
      await route.fulfill({ response: reply, body });
    });
    await page.goto('/sounds');
    const card = page.locator('[data-sound]').first();
    await card.locator('.favorite').click();
    await card.getByText('Something went wrong!').waitFor();
    await card.getByRole('button', { name: /をダウンロード$/ }).click();
    await page.locator('dialog:modal').waitFor();
  });
});
