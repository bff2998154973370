import type { Page } from 'playwright-core';
import { createUser } from '../../../server/features/accounts/users.ts';
import { hashPassword } from '../../../server/platform/crypto/passwords.ts';
import { withDatabaseOf } from '../../support/host.ts';
import { type Account, openAsMember } from './members.ts';
import type { Site } from './sites.ts';
import { expectToastInView } from './toasts.ts';

const PASSWORD = 'artist password';

/** A verified artist of a running site, without sounds. */
export async function addArtist(site: Site, username: string): Promise<Account> {
  const email = `${encodeURIComponent(username).replaceAll('%', '').toLowerCase()}@example.test`;
  const password_hash = await hashPassword(PASSWORD);
  await withDatabaseOf(site.dataDir, (database) =>
    createUser(database, { username, email, password_hash, is_verified: true }),
  );
  return { email, password: PASSWORD };
}

/** Logs in and waits for the sounds section. */
export async function openMySounds(page: Page, account: Account): Promise<void> {
  await openAsMember(page, account);
  await page.getByRole('tab', { name: 'BGM' }).waitFor();
}

/** Chooses files with the button and the browser's file dialog. */
export async function chooseSounds(page: Page, paths: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'アップロード', exact: true }).click();
  await (await chooser).setFiles(paths);
}

export const cardOf = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true });
export const queueOf = (page: Page) => page.getByRole('list', { name: 'アップロード中のファイル' });
export const toast = expectToastInView;
