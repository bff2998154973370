import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { openAsMember } from './members.ts';
import { type OpenOptions, useBrowser } from './pages.ts';
import { useOwnSite } from './sites.ts';

/** 運営, who uses the console. */
export const STAFF = { email: 'staff@example.test', password: 'member password' };
/** The address of 別の運営, who acts on the command line. */
export const OTHER_STAFF = 'other@example.test';

/** A site for the tests of a page of the console, with two members of staff. */
export function useConsole(settings?: Parameters<typeof useOwnSite>[0]) {
  const site = useOwnSite(settings);
  const { newPage } = useBrowser(() => site.url);
  beforeAll(() =>
    withDatabaseOf(site.dataDir, async (database) => {
      const password_hash = await hashPassword(STAFF.password);
      await createUser(database, { username: '運営', email: STAFF.email, is_staff: true, password_hash });
      await createUser(database, { username: '別の運営', email: OTHER_STAFF, is_staff: true });
    }),
  );

  async function openConsole(path: string, allow?: RegExp, options: OpenOptions = {}): Promise<Page> {
    const page = await newPage({ ...options, ...(allow && { allow }) });
    await openAsMember(page, STAFF, path);
    return page;
  }

  /** As if the password had been given hours ago. */
  const forgetPassword = () =>
    withDatabaseOf(site.dataDir, ({ db }) =>
      db.updateTable('sessions').set({ authenticated_at: 0 }).execute(),
    );

  return { site, newPage, openConsole, forgetPassword };
}

/** Answers the prompt for the password. */
export async function givePassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'パスワードの確認' });
  await dialog.locator('input[name=password]').fill(STAFF.password);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
}

/** Fails where a table is wider than a phone, or a control of it is out of view. */
export async function expectNarrowTable(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 390, height: 844 });
  const outside = await page.locator('.console-scroll').evaluateAll((tables) =>
    tables
      .flatMap((table) => [table, ...table.querySelectorAll('td, button, input')])
      .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > 390)
      .map((each) => each.textContent),
  );
  expect(outside).toEqual([]);
  await page.setViewportSize({ width, height });
}
