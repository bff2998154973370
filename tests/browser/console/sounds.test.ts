import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { givePassword, playSound, useConsole } from '../support/console.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { site, openConsole, forgetPassword } = useConsole();

const rows = (page: Page) => page.locator('.member-row');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
/** A public sound with a title that no other sound begins with. */
const findSound = (skip: number) =>
  withDatabaseOf(site.dataDir, ({ db }) =>
    everyTable(db)
      .selectFrom('sounds')
      .innerJoin('users', 'users.id', 'sounds.artist_id')
      .select(['sounds.id', 'sounds.title', 'users.username as artist'])
      .where('is_published', '=', 1)
      .where('title', '!=', '')
      .orderBy('seq')
      .offset(skip)
      .limit(1)
      .executeTakeFirstOrThrow(),
  );
const readState = (id: string) =>
  withDatabaseOf(site.dataDir, ({ db }) =>
    everyTable(db)
      .selectFrom('sounds')
      .select(['is_published', 'hidden_reason'])
      .where('id', '=', id)
      .executeTakeFirst(),
  );

describe('sounds in the console', () => {
  it.each([320, 1440])('are found, heard, hidden and shown again by keyboard at %i px', async (width) => {
    const { id, title, artist } = await findSound(0);
    const page = await openConsole('/operator', undefined, { width, height: 800 });
    const links = page.getByRole('navigation', { name: '運営' });
    // Each page takes the focus when it is ready: a key that is pressed before would go into its search.
    for (const [name, search] of [
      ['検索', 'member-search'],
      ['サウンド', 'sound-search'],
    ] as const) {
      await links.getByRole('link', { name }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe(search);
    }
    await page.getByRole('searchbox', { name: 'タイトルの先頭、またはID' }).waitFor();
    await expect.poll(() => rows(page).count()).toBeGreaterThan(1);
    await page.keyboard.type(id);
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining(title)]);
    await expectAccessible(page);

    await rows(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.locator('.member-facts').getByRole('link', { name: artist, exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '非公開にする…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `「${title}」：非公開にする` });
    await dialog.getByRole('textbox', { name: '理由' }).focus();
    await page.keyboard.type('権利を確認するため');
    await expectAccessible(page, 'dialog[open]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('header').getByText('運営者が非公開').waitFor();
    await expect.poll(() => focused(page)).toBe('sound-title');
    expect(await readState(id)).toEqual({ is_published: 0, hidden_reason: '権利を確認するため' });
    await page.locator('.member-lines').getByText('サウンド：非公開').first().waitFor();
    expect(await playSound(page, 'article')).toBeGreaterThan(0);

    await page.getByRole('button', { name: '非公開を解除する…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: '非公開を解除する', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.locator('header').getByText('公開中').waitFor();
    expect(await readState(id)).toEqual({ is_published: 1, hidden_reason: null });

    await page.goBack();
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining(title)]);
  });

  it('are shown after the password, and deleted for a reason that the artist reads', async () => {
    const { id, title, artist } = await findSound(1);
    const page = await openConsole(
      `/operator/sounds?${new URLSearchParams({ artist, search: title })}`,
      /403/,
    );
    const row = page.locator(`.member-row[href*="${id}"]`);
    await row.waitFor();
    await page.getByRole('button', { name: '公開中' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('public');
    await forgetPassword();
    await row.click();
    await givePassword(page);
    await page.getByRole('button', { name: '削除する…' }).click();
    const dialog = page.getByRole('dialog', { name: `「${title}」：削除する` });
    const send = dialog.getByRole('button', { name: '削除する', exact: true });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: '利用規約への違反' }).click();
    await expectAccessible(page, 'dialog[open]');
    await send.click();
    await page.getByText('サウンドを削除しました').waitFor();
    await page.getByRole('searchbox', { name: '投稿者のユーザー名' }).waitFor();
    expect(await readState(id)).toBeUndefined();
    expect(new URL(page.url()).searchParams.get('artist')).toBe(artist);
    await expect.poll(() => row.count()).toBe(0);
  });
});
