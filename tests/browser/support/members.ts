import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readOutbox } from '../../support/mails.ts';
import { MEMBER } from './catalogue.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** Logs in by the form at /login, wherever the page is, and waits until it has gone on. */
export async function logIn(page: Page, { email, password }: Account = MEMBER): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login');
  await fillLogin(page, { email, password });
  await page.waitForURL((url) => url.pathname !== '/login');
}

export async function fillLogin(page: Page, { email, password }: Account): Promise<void> {
  const submit = page.getByRole('button', { name: 'ログイン', exact: true });
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
}

/** The first link to a page of the site in the newest mail to an address, as a path. */
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
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** What the browser keeps of the session. */
export function readSession(page: Page) {
  return page.evaluate(() => ({
    auth: JSON.parse(localStorage.getItem('auth') ?? 'null') as { isAuthenticated?: boolean } | null,
    token: localStorage.getItem('token'),
    refresh: localStorage.getItem('refresh'),
  }));
}

export const heartOf = (page: Page, title: string) =>
  page.getByRole('button', { name: `お気に入り：${title}`, exact: true });
