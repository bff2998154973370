import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MEMBER } from '../support/catalogue.ts';
import { fillLogin, logIn, readSession } from '../support/members.ts';
import { holdRequests, useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import { useOwnSite, useSite } from '../support/sites.ts';

const { newPage } = useBrowser(useSite());

const field = (page: Page, name: string) => page.getByRole('main').locator(`[name=${name}]`);
const submitOf = (page: Page) => page.getByRole('main').locator('button[type=submit]');

async function openForm(page: Page, path: string): Promise<Locator> {
  await page.goto(path);
  const submit = submitOf(page);
  await expect.poll(() => submit.isEnabled()).toBe(true);
  return submit;
}

/** The error of a field, as a screen reader announces it. */
async function errorOf(page: Page, name: string): Promise<string> {
  const input = field(page, name);
  if ((await input.getAttribute('aria-invalid')) !== 'true') return '';
  const ids = ((await input.getAttribute('aria-describedby')) ?? '').split(' ');
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
  return texts.at(-1)?.trim() ?? '';
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

describe('the registration form', () => {
  it('ties each message of the specification to its field, and focuses the first', async () => {
    const page = await newPage({ allow: /400/ });
    const submit = await openForm(page, '/register');
    await submit.click();
    await expect.poll(() => focused(page)).toBe('username');
    expect(await errorOf(page, 'username')).toBe('Username is required');
    expect(await errorOf(page, 'email')).toBe('Email is required');
    expect(await errorOf(page, 'password')).toBe('Password is required');
    expect(await errorOf(page, 'terms')).toBe('You must accept the terms and conditions');

    await field(page, 'username').fill('音');
    await field(page, 'email').fill('no address');
    await field(page, 'password').fill('1234567');
    await field(page, 'terms').check();
    expect(await errorOf(page, 'username')).toBe('');
    await page.keyboard.press('Enter');
    await field(page, 'password').press('Enter');
    await expect.poll(() => errorOf(page, 'email')).toBe('Invalid email format');
    expect(await errorOf(page, 'password')).toBe('Password must be at least 8 characters long');
    // The host decides which other names are valid.
    expect(await errorOf(page, 'username')).toBe('');
    expect(await field(page, 'email').inputValue()).toBe('no address');
    expect(await field(page, 'password').inputValue()).toBe('1234567');
    await field(page, 'email').fill('one-letter@example.test');
    await field(page, 'password').fill('12345678');
    await field(page, 'password').press('Enter');
    await expect.poll(() => errorOf(page, 'username')).toMatch(/2文字以上/);
  });

  it('sends once, shows 処理中..., and shows each value of a rejection as a toast and at its field', async () => {
    const page = await newPage({ allow: /400/ });
    let sent = 0;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/account/register/', async (route) => {
      sent += 1;
      await answered;
      await route.fulfill({
        status: 400,
        json: {
          username: ['この名前は使われています。'],
          email: 'この住所は使えません。',
          detail: '全体の問題です。',
        },
      });
    });
    const submit = await openForm(page, '/register');
    await field(page, 'username').fill('新しい人');
    await field(page, 'email').fill('new@example.test');
    await field(page, 'password').fill('a long enough one');
    await field(page, 'terms').check();
    await submit.dblclick();
    await expect.poll(() => submit.innerText()).toBe('処理中...');
    await submit.click({ force: true });
    await field(page, 'password').press('Enter');
    answer();
    const toasts = page.locator('[data-sonner-toast]');
    await expect.poll(() => toasts.count()).toBe(3);
    expect(sent).toBe(1);
    expect(await errorOf(page, 'username')).toBe('この名前は使われています。');
    expect(await errorOf(page, 'email')).toBe('この住所は使えません。');
    expect(await focused(page)).toBe('username');
    expect(await field(page, 'password').inputValue()).toBe('a long enough one');
    expect(await submit.innerText()).toBe('登録する');
  });

  it('accepts addresses that browsers reject, as typed, and mentions the confirmation mail', async () => {
    const page = await newPage({ allow: /400/ });
    for (const [index, email] of ['foo..bar@docomo.ne.jp', 'test@日本語.jp'].entries()) {
      const submit = await openForm(page, '/register');
      await field(page, 'username').fill(`新しい住所 ${index}`);
      await field(page, 'email').fill(email);
      await field(page, 'password').fill('a long enough one');
      await field(page, 'terms').check();
      await submit.click();
      await page.getByText(`${email} に確認のメールをお送りしました`).waitFor();

      await openForm(page, '/login');
      await fillLogin(page, { email, password: 'a long enough one' });
      await page.locator('.form-problem', { hasText: 'お送りした確認メールのリンク' }).waitFor();
    }
  });

  it('keeps the typed values across a reload, except the password', async () => {
    const page = await newPage();
    await openForm(page, '/register');
    await field(page, 'username').fill('途中の人');
    await field(page, 'email').fill('halfway@example.test');
    await field(page, 'password').fill('never kept anywhere');
    await page.reload();
    await expect.poll(() => field(page, 'username').inputValue()).toBe('途中の人');
    expect(await field(page, 'email').inputValue()).toBe('halfway@example.test');
    expect(await field(page, 'password').inputValue()).toBe('');
    expect(
      await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])),
    ).not.toContain('never kept');
  });

  it('opens the terms in another tab, and has the tabs of both forms', async () => {
    const page = await newPage();
    await openForm(page, '/register');
    const terms = page.getByRole('main').getByRole('link', { name: /会員規約/ });
    expect(await terms.getAttribute('target')).toBe('_blank');
    expect(await terms.getAttribute('rel')).toContain('noopener');
    await page.getByRole('main').getByRole('link', { name: 'ログイン' }).click();
    await page.waitForURL('**/login');
    await page.getByRole('main').getByRole('link', { name: '新規登録' }).click();
    await page.waitForURL('**/register');
  });
});

describe('the log-in form', () => {
  it('waits half a second after success, then continues', async () => {
    const page = await newPage();
    await openForm(page, '/login');
    let answeredAt = 0;
    page.on('response', (response) => {
      if (response.url().includes('/api/account/login/')) answeredAt = performance.now();
    });
    await fillLogin(page, MEMBER);
    await page.waitForURL('**/profile');
    expect(performance.now() - answeredAt).toBeGreaterThan(450);
  });

  it('supports password managers: names, input types, and a password that can be shown', async () => {
    const page = await newPage();
    await openForm(page, '/login');
    expect(await field(page, 'email').getAttribute('autocomplete')).toBe('username');
    expect(await field(page, 'password').getAttribute('autocomplete')).toBe('current-password');
    await field(page, 'password').fill('seen');
    expect(await field(page, 'password').getAttribute('type')).toBe('password');
    const show = page.getByRole('button', { name: 'パスワードを表示' });
    await show.click();
    expect(await field(page, 'password').getAttribute('type')).toBe('text');
    expect(await show.getAttribute('aria-pressed')).toBe('true');
    expect(await field(page, 'password').inputValue()).toBe('seen');
  });

  it('says when to retry after too many attempts', async () => {
    const page = await newPage({ allow: /429/ });
    await page.route('**/api/account/login/', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '540' }, json: {} }),
    );
    await openForm(page, '/login');
    await fillLogin(page, MEMBER);
    await page.getByText('9分後に').first().waitFor();
    expect(await readSession(page)).toMatchObject({ token: null });
  });

  it('includes what was typed before its script loaded', async () => {
    const page = await newPage();
    const release = await holdRequests(page, '**/*.js');
    await page.goto('/login', { waitUntil: 'commit' });
    await field(page, 'email').fill(MEMBER.email);
    await field(page, 'password').fill(MEMBER.password);
    expect(await submitOf(page).isDisabled()).toBe(true);
    release();
    await expect.poll(() => submitOf(page).isEnabled()).toBe(true);
    expect(await field(page, 'email').inputValue()).toBe(MEMBER.email);
    await submitOf(page).click();
    await page.waitForURL('**/profile');
  });
});

describe('log-out', () => {
  it('everywhere, ends the session in another browser', async () => {
    const here = await newPage();
    const there = await newPage({ allow: /401/ });
    await logIn(here);
    await logIn(there);
    await visit(there, '/sounds');
    // A call that is answered after the log-out would end the session before the reload.
    await waitForAnswers(there);
    await here.getByRole('button', { name: 'すべての端末からログアウト' }).click();
    await here.getByRole('button', { name: 'すべてログアウト' }).click();
    await here.waitForURL((url) => url.pathname === '/');
    await waitForAnswers(here);
    await there.reload();
    await there.waitForURL((url) => url.pathname === '/login');
    expect(await readSession(there)).toEqual({ auth: null, token: null, refresh: null });
  });
});

describe('the contact form', () => {
  it('fills in the member’s data, counts characters, reaches the operator, and confirms it', async () => {
    const page = await newPage();
    await logIn(page);
    const submit = await openForm(page, '/contact');
    await expect.poll(() => field(page, 'email').inputValue()).toBe(MEMBER.email);
    await field(page, 'message').fill('こんにちは。\n質問です。');
    await page.getByText('12/10,000').waitFor();
    await submit.click();
    await page.getByRole('heading', { name: 'お問い合わせを受け付けました' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('受け付けました');
    expect(await page.evaluate(() => sessionStorage.getItem('draft:contact'))).toBeNull();
  });
});

describe('without JavaScript', () => {
  it.each(['/login', '/register', '/forgot-password', '/contact', '/profile'])(
    '%s is readable, and says that it needs JavaScript',
    async (path) => {
      const page = await newPage({ javaScriptEnabled: false });
      await page.goto(path);
      expect(await page.locator('h1').count()).toBeGreaterThan(0);
      const main = await page.locator('main').innerText();
      expect(main).toContain('JavaScript');
      if (path !== '/profile') expect(await submitOf(page).isDisabled()).toBe(true);
      expect(await page.getByRole('contentinfo').innerText()).toContain('会員規約');
    },
  );
});

describe('closed registration', () => {
  const closed = useOwnSite({ ALLOW_REGISTER: 'false' });

  it('leads to log-in, which does not offer it', async () => {
    const page = await newPage();
    await page.goto(`${closed.url}/register`);
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(await page.getByRole('main').getByRole('link', { name: '新規登録' }).count()).toBe(0);
    const reply = await page.request.post(`${closed.url}/api/account/register/`, {
      headers: { origin: closed.url },
      data: { username: '誰か', email: 'x@example.test', password: 'a long enough one' },
    });
    expect(reply.status()).toBe(403);
  });
});
