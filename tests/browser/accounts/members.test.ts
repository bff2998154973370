import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '../support/artists.ts';
import {
  fillLogin,
  heartOf,
  logIn,
  logOut,
  openAsMember,
  readMailedLink,
  readSession,
  register,
} from '../support/members.ts';
import { useBrowser, visit, waitForAnswers, waitForHydration } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const { site, open, newPage } = useBrowser(useSite());

const SOUND = '最新の戦闘音';
const isLoggedIn = (page: Page) => page.getByRole('button', { name: 'ログアウト' }).first().isVisible();
const pressed = (page: Page, title = SOUND) => heartOf(page, title).getAttribute('aria-pressed');

describe('a person', () => {
  it('registers, confirms by mail, logs in, favourites, reloads, and logs out in a second tab', async () => {
    const page = await newPage();
    const account = { email: 'newcomer@example.test', password: 'a long enough one' };
    await register(page, '新しい耳', account);
    await page.getByText(account.email).waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /トップ/ })
        .getAttribute('href'),
    ).toBe('/');

    const link = await readMailedLink(site.dataDir, account.email, '/login?');
    expect(link).not.toContain('newcomer');
    const other = await newPage();
    await other.goto(link);
    await other.getByText('User confirmed. Please login').waitFor();
    expect(new URL(other.url()).search).toBe('');
    await page.goto('/login');
    // The tab that registered has the address without the link.
    for (const tab of [other, page])
      await expect.poll(() => tab.locator('input[name=email]').inputValue()).toBe(account.email);
    await logIn(page, account);
    expect(new URL(page.url()).pathname).toBe('/profile');
    await page.getByRole('main').getByText('新しい耳').first().waitFor();

    await visit(page, '/artist/音の人');
    expect(await pressed(page)).toBe('false');
    await heartOf(page, SOUND).click();
    await expect.poll(() => pressed(page)).toBe('true');
    await waitForAnswers(page);
    await page.reload();
    await expect.poll(() => pressed(page)).toBe('true');

    const second = await page.context().newPage();
    await second.goto('/');
    expect(await isLoggedIn(second)).toBe(true);
    await logOut(second);
    await second
      .getByRole('navigation', { name: 'メニュー' })
      .getByRole('link', { name: 'ログイン' })
      .waitFor();
    expect(new URL(second.url()).pathname).toBe('/');
    await expect.poll(() => isLoggedIn(page)).toBe(false);
    expect(await readSession(page)).toMatchObject({ token: null, refresh: null });
  });

  it('returns to the same place after a heart led to log-in', async () => {
    const page = await open('/sounds?type=2');
    const last = page.locator('[data-sound]').last();
    await last.scrollIntoViewIfNeeded();
    const title = await last.locator('[data-title]').innerText();
    const y = await page.evaluate(() => scrollY);
    expect(y).toBeGreaterThan(300);
    await heartOf(page, title).first().click();
    await page.waitForURL(/\/login\?redirect=/);
    await logIn(page);
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sounds?type=2');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(y - 200);
    // The heart is set by then, with a message.
    await page.getByText('お気に入りに追加しました').waitFor();
    await expect.poll(() => pressed(page, title)).toBe('true');
    await waitForAnswers(page);
    await page.reload();
    await expect.poll(() => pressed(page, title)).toBe('true');
  });

  it('recovers a forgotten password, and the old one stops working', async () => {
    const { email, password } = await addMember(site, '忘れた人');
    const page = await newPage({ allow: /400/ });
    await page.goto('/login');
    await page.getByRole('link', { name: /パスワードを忘れた/ }).click();
    await page.waitForURL('**/forgot-password');
    await page.locator('input[name=email]').fill(email);
    const send = page.getByRole('main').locator('button[type=submit]');
    await expect.poll(() => send.isEnabled()).toBe(true);
    await send.click();
    const link = await readMailedLink(site.dataDir, email, '/reset-password?');
    await page.goto(link);
    await page.locator('input[name=password]').fill('quite another one');
    const save = page.getByRole('main').locator('button[type=submit]');
    await expect.poll(() => save.isEnabled()).toBe(true);
    expect(new URL(page.url()).search).toBe('');
    await page.reload();
    await page.locator('input[name=password]').fill('quite another one');
    await expect.poll(() => save.isEnabled()).toBe(true);
    await save.click();
    await page.getByRole('main').getByRole('link', { name: 'ログイン' }).first().click();
    await page.waitForURL('**/login');
    await fillLogin(page, { email, password });
    await page.getByText('メールアドレスまたはパスワードが違います。').first().waitFor();
    await fillLogin(page, { email, password: 'quite another one' });
    await page.waitForURL('**/profile');
    // A used link is invalid.
    const again = await newPage({ allow: /400/ });
    await again.goto(link);
    await again.locator('input[name=password]').fill('and a third one');
    const retry = again.getByRole('main').locator('button[type=submit]');
    await expect.poll(() => retry.isEnabled()).toBe(true);
    await retry.click();
    await again.getByRole('link', { name: '新しいメールを送る' }).first().waitFor();
  });
});

describe('the navbar', () => {
  it('is correct at the first paint, before any script file has arrived', async () => {
    const page = await openAsMember(newPage({ allow: /ERR_FAILED/ }));
    // Its scripts are loaded before requests are blocked.
    await page.locator('main astro-island[ssr]').waitFor({ state: 'detached' });
    const { auth, token, refresh } = await readSession(page);
    const withPicture = { ...auth, user: { ...auth, profile_picture: '/favicon.svg' } };
    await page.route('**/*.js', (route) => route.abort());
    for (const [session, member] of [
      [auth, true],
      [withPicture, true],
      [null, false],
    ] as const) {
      await page.evaluate(
        ([value, keep, next]) => {
          localStorage.clear();
          if (!value) return;
          localStorage.setItem('auth', JSON.stringify(value));
          localStorage.setItem('token', keep);
          localStorage.setItem('refresh', next);
        },
        [session, token ?? '', refresh ?? ''] as const,
      );
      const fresh = await page.context().newPage();
      await fresh.route('**/*.js', (route) => route.abort());
      await fresh.goto('/member-terms');
      const nav = fresh.getByRole('navigation', { name: 'メニュー' });
      expect(await nav.getByRole('link', { name: 'ログイン' }).isVisible()).toBe(!member);
      expect(await nav.getByRole('button', { name: 'ログアウト' }).isVisible()).toBe(member);
      expect(await nav.getByRole('link', { name: 'プロフィール' }).isVisible()).toBe(member);
      expect(await nav.getByRole('link', { name: 'アップロード' }).getAttribute('href')).toBe('/profile');
      const picture = await nav
        .locator('.navbar-member')
        .evaluate((link) => getComputedStyle(link, '::after').backgroundImage);
      expect(picture.includes('favicon.svg')).toBe(session === withPicture);
      await fresh.close();
    }
  });

  it('shows the logged-in member on later pages, without a reload', async () => {
    const page = await open('/sounds');
    await page.evaluate(() => Reflect.set(window, 'stillHere', true));
    await page
      .getByRole('navigation', { name: 'メニュー' })
      .getByRole('link', { name: 'アップロード' })
      .click();
    await page.waitForURL((url) => url.pathname === '/login');
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/profile');
    await logIn(page);
    expect(new URL(page.url()).pathname).toBe('/profile');
    expect(await isLoggedIn(page)).toBe(true);
    expect(await page.evaluate(() => Reflect.get(window, 'stillHere'))).toBe(true);
    await logOut(page);
    await page.waitForURL((url) => url.pathname === '/');
    expect(await page.evaluate(() => Reflect.get(window, 'stillHere'))).toBe(true);
  });
});

describe('pages for some visitors only', () => {
  it('send strangers to log-in with the current address, and members to their profile', async () => {
    const page = await newPage();
    await page.goto('/profile?tab=sounds');
    await page.waitForURL((url) => url.pathname === '/login');
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/profile?tab=sounds');
    await logIn(page);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/profile?tab=sounds');
    for (const path of ['/login', '/register', '/login/', '/login?redirect=/sounds']) {
      await page.goto(path).catch(() => undefined);
      await page.waitForURL((url) => url.pathname === '/profile');
    }
    expect(await page.getByRole('main').locator('input[name=password]').count()).toBe(0);
  });

  it('are left when another tab logs out', async () => {
    const page = await openAsMember(newPage());
    await page.getByRole('heading', { name: 'ログインの管理' }).waitFor();
    const second = await page.context().newPage();
    await second.goto('/');
    await logOut(second);
    await page.waitForURL((url) => url.pathname === '/login');
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/profile');
  });

  // A sample: tests/src/islands/account/redirects.test.ts covers every form of a foreign address.
  it.each(['//evil.example', '/%09/evil.example'])(
    'W3: log-in redirects to no other site: %j',
    async (target) => {
      const page = await newPage({ allow: /404/ });
      await page.goto(`/login?redirect=${encodeURIComponent(target)}`);
      await logIn(page);
      const url = new URL(page.url());
      expect(url.origin).toBe(site.url);
      // A value that the parser reads as a path of this site stays one, even without such a page.
      expect(url.pathname).toBe(target === '/%09/evil.example' ? target : '/profile');
    },
  );
});

describe('favourites', () => {
  it('survive a double press, and show in every list of the page and in a second tab', async () => {
    const page = await openAsMember(newPage(), undefined, '/');
    await waitForHydration(page);
    const second = await page.context().newPage();
    await visit(second, '/sounds');
    await page.mouse.wheel(0, 4000);
    await waitForAnswers(page);
    const title = await page.locator('[data-sound] [data-title]').nth(1).innerText();
    const heart = heartOf(page, title).first();
    const before = await heart.getAttribute('aria-pressed');
    await heart.dblclick();
    await waitForAnswers(page);
    expect(await heart.getAttribute('aria-pressed')).toBe(before);
    await heart.click();
    const after = before === 'true' ? 'false' : 'true';
    for (const other of await heartOf(page, title).all()) {
      await expect.poll(() => other.getAttribute('aria-pressed')).toBe(after);
    }
    await expect.poll(() => heartOf(second, title).first().getAttribute('aria-pressed')).toBe(after);
  });

  it('are requested with one call for the page, and cause no layout shift', async () => {
    const page = await openAsMember(newPage());
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('favorite=true')) asked.push(request.url());
    });
    await visit(page, '/');
    await page.mouse.wheel(0, 5000);
    await waitForAnswers(page);
    expect(asked).toHaveLength(1);
  });
});

it('A8: no page or reply of a member is cacheable for others', async () => {
  const page = await newPage();
  const kept: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/api/')) return;
    const caching = response.headers()['cache-control'] ?? '';
    if (response.request().headers()['authorization'] && !/private, no-store/.test(caching))
      kept.push(pathname);
    if (pathname.includes('/login/') && !/no-store/.test(caching)) kept.push(pathname);
  });
  await logIn(page);
  for (const path of ['/', '/sounds', '/profile', '/artist/音の人']) {
    await visit(page, path);
    expect(await page.evaluate(() => document.cookie)).not.toContain('device');
  }
  expect(kept).toEqual([]);
});
