import type { Page } from 'playwright-core';
import { createUser } from '#server/features/accounts/users.ts';
import type { NewUser } from '#server/features/accounts/users.ts';
import type { NewSound } from '#server/features/catalogue/service.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { type Account, openAsMember } from './members.ts';
import type { Site } from './sites.ts';
import { expectToastInView } from './toasts.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const PASSWORD = 'artist password';
let passwordHash: Promise<string> | undefined;

/** A verified artist of a running site, without sounds. */
export function addArtist(site: Site, username: string): Promise<Account> {
  return addMember(site, username, { is_verified: true });
}

/** A member of a running site. */
export async function addMember(
  site: Site,
  username: string,
  more: Omit<Partial<NewUser>, 'username' | 'email'> = {},
): Promise<Account> {
  const email = `${encodeURIComponent(username).replaceAll('%', '').toLowerCase()}@example.test`;
  const password_hash = await (passwordHash ??= hashPassword(PASSWORD));
  await withDatabaseOf(site.dataDir, (database) =>
    createUser(database, { username, email, password_hash, ...more }),
  );
  return { email, password: PASSWORD };
}

/** A sound of a member, public unless told otherwise, without a file in storage. Returns its ID. */
export function addSound(
  site: Site,
  { email }: Account,
  title: string,
  more: Partial<NewSound> = {},
): Promise<string> {
  return withDatabaseOf(site.dataDir, async (database) => {
    const { db } = database;
    const { id: artist_id } = await everyTable(db)
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const { id: type_id } = await everyTable(db)
      .selectFrom('sound_types')
      .select('id')
      .where('name', '=', 'BGM')
      .executeTakeFirstOrThrow();
    return addSoundOf(database, artist_id, { type_id, title, ...more });
  });
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
