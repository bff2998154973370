import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readOutbox } from '../../support/mails.ts';
import { MEMBER } from './catalogue.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** Logs in by the form at /login, from any page, and waits for the navigation after it. */
export async function logIn(page: Page, { email, password }: Account = MEMBER): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login');
  await fillLogin(page, { email, password });
  await page.waitForURL((url) => url.pathname !== '/login');
}

/**
 * Logs in by the API and opens a page as the member, for tests that start after log-in. The log-in form costs two
 * loads and half a second, and has its own tests.
 */
export async function openAsMember(
  page: Page,
  { email, password }: Account = MEMBER,
  path = '/profile',
): Promise<void> {
  // A document of the site without scripts.
  await page.goto('/robots.txt');
  const response = await fetch(new URL('/api/account/login/', page.url()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: '', email, password }),
  });
  if (!response.ok) throw new Error(`no log-in: ${response.status} ${await response.text()}`);
  const { user, access, refresh } = (await response.json()) as Record<string, unknown>;
  await page.evaluate(
    (items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
    },
    {
      auth: JSON.stringify({ isAuthenticated: true, user }),
      token: String(access),
      refresh: String(refresh),
    },
  );
  await page.goto(path);
}

export async function fillLogin(page: Page, { email, password }: Account): Promise<void> {
  const submit = page.getByRole('button', { name: 'ログイン', exact: true });
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
}

/** The path of the first link to the site in the newest mail to an address. */
export async function readMailedLink(dataDir: string, to: string, path: string): Promise<string> {
  let link = '';
  await expect
    .poll(async () => {
      const mails = await readOutbox(join(dataDir, 'outbox')).catch(() => []);
      const mail = mails.findLast((other) => other.header('To').includes(to) && other.text.includes(path));
      link = /https?:\/\/\S+/.exec(mail?.text.slice(mail.text.indexOf(path) - 40) ?? '')?.[0] ?? '';
      return link;
    })
    .toContain(path);
  const { pathname, search, hash } = new URL(link);
  return pathname + search + hash;
}

/** What the browser stores of the session. */
export function readSession(page: Page) {
  return page.evaluate(() => ({
    auth: JSON.parse(localStorage.getItem('auth') ?? 'null') as { isAuthenticated?: boolean } | null,
    token: localStorage.getItem('token'),
    refresh: localStorage.getItem('refresh'),
  }));
}

export const heartOf = (page: Page, title: string) =>
  page.getByRole('button', { name: `お気に入り：${title}`, exact: true });
