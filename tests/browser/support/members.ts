import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findAccountByEmail } from '#server/features/accounts/queries.ts';
import { openSession } from '#server/features/accounts/sessions.ts';
import { toEmailKey } from '#server/features/accounts/users.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { createAccessTokens } from '#server/platform/crypto/access-tokens.ts';
import { readOrMakeSecret } from '#server/platform/crypto/secrets.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { readOutbox } from '#support/members/mails.ts';
import { MEMBER } from './catalogue.ts';
import { waitForAnswers, waitForHydration } from './pages.ts';
import { type Site, findHost } from './sites.ts';

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
 * Opens a page as the member, for tests that start after log-in: the session is a row of the site's database, or of a
 * log-in by the API where its database is out of reach or staff needs the cookie of the console. The form costs two
 * loads and half a second, and has its own tests.
 */
export async function openAsMember(
  opened: Page | Promise<Page>,
  account: Account = MEMBER,
  path = '/profile',
): Promise<Page> {
  const page = await opened;
  // A document of the site without scripts.
  await page.goto('/robots.txt');
  const { api, dataDir } = findHost(new URL(page.url()).origin);
  const added = dataDir === undefined ? undefined : await addSession(dataDir, account);
  const session = added ?? (await callLogin(page, api, account));
  await page.evaluate(
    ([auth, token, refresh]) => {
      localStorage.setItem('auth', auth);
      localStorage.setItem('token', token);
      localStorage.setItem('refresh', refresh);
    },
    [JSON.stringify({ isAuthenticated: true, user: session.user }), session.access, session.refresh] as const,
  );
  await page.goto(path);
  return page;
}

interface Session {
  readonly user: object;
  readonly access: string;
  readonly refresh: string;
}

function addSession(dataDir: string, { email }: Account): Promise<Session | undefined> {
  return withDatabaseOf(dataDir, async (database) => {
    const account = await findAccountByEmail(database.db, toEmailKey(email));
    if (account === undefined) throw new Error(`${email} has no account`);
    if (account.is_staff === 1) return undefined;
    const accessTokens = createAccessTokens(readOrMakeSecret(dataDir, 'access-tokens'));
    const tokens = await openSession({ database, clock: systemClock, accessTokens }, account);
    const { id, username } = account;
    return tokens && { ...tokens, user: { id, username, email, profile_picture: null } };
  });
}

async function callLogin(page: Page, api: string, { email, password }: Account): Promise<Session> {
  const reply = await page.request.post(`${api}/api/account/login/`, {
    headers: { origin: new URL(page.url()).origin },
    data: { username: '', email, password },
  });
  if (!reply.ok()) throw new Error(`no log-in: ${reply.status()} ${await reply.text()}`);
  return (await reply.json()) as Session;
}

export async function fillLogin(page: Page, { email, password }: Account): Promise<void> {
  const submit = page.getByRole('button', { name: 'ログイン', exact: true });
  // Hydrated: after a registration the form then fills in the address, between the two steps of a `fill`.
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await submit.click();
}

/**
 * Presses the log-out button of a page once all tabs have their answers: the host refuses a call that is under way when
 * its session ends, and the browser writes that to the console.
 */
export async function logOut(page: Page): Promise<void> {
  for (const tab of page.context().pages()) {
    await waitForHydration(tab);
    await waitForAnswers(tab);
  }
  await page
    .getByRole('navigation', { name: 'メニュー' })
    .getByRole('button', { name: 'ログアウト' })
    .click();
}

/** Sends the form at /register. */
export async function register(page: Page, username: string, { email, password }: Account): Promise<void> {
  await page.goto('/register');
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: '登録する' }).click();
}

/** Sets the last password entry of every session to 16 minutes earlier. */
export function letTimePass({ dataDir }: Site): Promise<unknown> {
  return withDatabaseOf(dataDir, ({ db }) =>
    everyTable(db)
      .updateTable('sessions')
      .set((eb) => ({ authenticated_at: eb('authenticated_at', '-', 16 * 60_000) }))
      .execute(),
  );
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
