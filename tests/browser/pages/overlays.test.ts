import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser } from '../support/pages.ts';

const { newPage } = useBrowser();

const logOut = (page: Page) =>
  page.getByRole('navigation', { name: 'メニュー' }).getByRole('button', { name: 'ログアウト' });
const question = (page: Page) => page.getByRole('alertdialog', { name: 'ログアウトしますか？' });

/** A page of text, for a member who would lose an upload by logging out. It makes no call. */
async function openWithUpload(): Promise<Page> {
  const page = await newPage();
  await page.addInitScript(() => {
    const upload = {
      key: 'kept',
      memberId: '7',
      typeId: '1',
      name: '曲.mp3',
      sizeBytes: 2,
      lastModified: 3,
      chosenAtMs: Date.now(),
      standing: { uploadId: 'u', takenBytes: 1 },
    };
    localStorage.setItem('token', 'A');
    localStorage.setItem('auth', '{"isAuthenticated":true,"user":{"id":"7"}}');
    localStorage.setItem('upload:kept', JSON.stringify(upload));
  });
  await page.goto('/member-terms', { waitUntil: 'networkidle' });
  return page;
}

it('a question opens on a page without islands, and focus returns', async () => {
  const page = await openWithUpload();
  await logOut(page).click();
  await question(page).waitFor();
  expect(await question(page).evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => question(page).count()).toBe(0);
  expect(await logOut(page).evaluate((button) => button === document.activeElement)).toBe(true);
});

it('a question closes with its page, and the next page asks again', async () => {
  const page = await openWithUpload();
  await page.getByRole('contentinfo').locator('a[href="/privacy-policy"]').click();
  await page.waitForURL('/privacy-policy');
  await logOut(page).click();
  await question(page).waitFor();
  await page.goBack();
  await page.waitForURL('/member-terms');
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
  await logOut(page).click();
  await question(page).waitFor();
  expect(await question(page).evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
  await question(page).getByRole('button', { name: 'ログアウトする' }).click();
  await page.waitForURL('/');
});
