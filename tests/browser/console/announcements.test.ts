import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { expectNarrowTable, useConsole } from '../support/console.ts';

const { newPage, openConsole } = useConsole();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const strip = (page: Page, name = 'お知らせ') => page.getByRole('region', { name, exact: true });

async function add(page: Page, text: string, change?: () => Promise<void>): Promise<void> {
  await press(page, '告知を追加');
  await page.getByLabel('文章').fill(text);
  await change?.();
  await press(page, '保存する');
  await row(page, text).waitFor();
}

/** The announcements that a page shows. */
const read = (page: Page, name?: string) =>
  strip(page, name).locator('[data-announcement] p').allInnerTexts();

describe('announcements', () => {
  it('are written in the console, and every refusal keeps the text', async () => {
    const page = await openConsole('/operator/announcements', /400/);
    await press(page, '告知を追加');
    await page.getByLabel('文章').fill('来週の予定');
    await page.getByLabel('リンク').fill('http://example.test/');
    await page.getByLabel('始まり').fill('2036-01-01T10:00');
    await page.getByLabel('終わり').fill('2036-01-01T10:00');
    await press(page, '保存する');
    await page.getByText('リンクは / で始まる').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('announcement-link');
    await expectAccessible(page);
    await page.getByLabel('リンク').fill('/content/faq');
    await press(page, '保存する');
    await page.getByText('終わりは、始まりよりあと').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: '保存していない変更があります' }).waitFor();
    await press(page, '編集に戻る');
    expect(await page.getByLabel('文章').inputValue()).toBe('来週の予定');
    await page.getByLabel('終わり').fill('2036-01-02T10:00');
    await press(page, '保存する');
    await row(page, '来週の予定').getByText('開始前').waitFor();
    await expectNarrowTable(page);
    await expectAccessible(page);

    await press(page, '「来週の予定」を編集');
    await page.getByText('5/200').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await press(page, '「来週の予定」を編集');
    await page.getByLabel('文章').fill('今週の予定');
    await page.getByLabel('始まり').fill('2026-01-01T10:00');
    await press(page, '保存する');
    await row(page, '今週の予定').getByText('表示中').waitFor();
    await press(page, '「今週の予定」を終了…');
    await page.getByRole('alertdialog').getByRole('button', { name: '終了する' }).click();
    await row(page, '今週の予定').getByText('終了', { exact: true }).waitFor();
    await press(page, '「今週の予定」を削除…');
    await page.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click();
    await expect.poll(() => row(page, '今週の予定').count()).toBe(0);
    await page.goto('/operator/actions');
    await row(page, '告知：終了').getByText('今週の予定').waitFor();
  });

  it('are below the navbar of every page until a visitor closes them, also without script', async () => {
    const staff = await openConsole('/operator/announcements');
    await add(staff, '秋の音を増やしました。', () => staff.getByLabel('リンク').fill('/sounds'));
    await add(staff, '11月30日の2時から4時まで、サーバーの点検をします。');
    const texts = ['11月30日の2時から4時まで、サーバーの点検をします。', '秋の音を増やしました。'];

    const plain = await newPage({ javaScriptEnabled: false });
    await plain.goto('/contact');
    expect(await read(plain)).toEqual(texts);
    expect(await strip(plain).getByRole('button').count()).toBe(0);

    const page = await newPage();
    await page.goto('/');
    expect(await read(page)).toEqual(texts);
    const [header, main] = await Promise.all(
      ['banner', 'main'].map((role) => page.getByRole(role as 'main').boundingBox()),
    );
    const box = await strip(page).boundingBox();
    expect([box?.y, box && box.y + box.height]).toEqual([header && header.y + header.height, main?.y]);
    await expectAccessible(page);
    await strip(page)
      .getByRole('button', { name: `「${texts[0]}」を閉じる` })
      .press('Enter');
    expect(await strip(page).locator('[data-announcement]:visible').count()).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    // Another page by the router, and a new document.
    await strip(page).getByRole('link', { name: texts[1]! }).click();
    await page.waitForURL('**/sounds');
    expect(await strip(page).locator('[data-announcement]:visible').allInnerTexts()).toEqual([texts[1]]);
    await page.goto('/member-terms');
    expect(await strip(page).locator('[data-announcement]:visible').allInnerTexts()).toEqual([texts[1]]);
    await strip(page).getByRole('button').press('Enter');
    expect(await strip(page).count()).toBe(0);

    // A new version is shown again.
    await press(staff, `「${texts[1]!}」を編集`);
    await staff.getByLabel('文章').fill('秋の音をさらに増やしました。');
    await press(staff, '保存する');
    await row(staff, 'さらに').waitFor();
    // A page that this browser has not cached.
    await page.goto('/contact');
    expect(await strip(page).locator('[data-announcement]:visible').allInnerTexts()).toEqual([
      '秋の音をさらに増やしました。',
    ]);
  });

  it('for members are not shown to visitors', async () => {
    const staff = await openConsole('/operator/announcements');
    await add(staff, '送金の予定が変わります。', () => staff.getByLabel('ログインしている人だけ').check());
    await staff.goto('/');
    expect(await read(staff, 'メンバーへのお知らせ')).toEqual(['送金の予定が変わります。']);
    const visitor = await newPage();
    await visitor.goto('/');
    await strip(visitor).waitFor();
    expect(await strip(visitor, 'メンバーへのお知らせ').count()).toBe(0);
  });
});
