import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { OTHER_STAFF, STAFF, givePassword, useConsole } from '../support/console.ts';
import { runOperator } from '../support/staff.ts';

const { site, newPage, openConsole, forgetPassword } = useConsole();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('pages in the console', () => {
  it('are written with a preview, and every refusal keeps the text', async () => {
    const page = await openConsole('/operator/pages', /400/);
    await press(page, 'ページを作る');
    await page.getByLabel('URL').fill('日本語');
    await page.getByLabel('タイトル').fill('使い方');
    await page.getByLabel('本文').fill('## はじめに\n\n{site}の**使い方**');
    const preview = page.getByRole('region', { name: 'プレビュー' });
    await preview.getByRole('heading', { name: 'はじめに' }).waitFor();
    expect(await preview.locator('strong').innerText()).toBe('使い方');
    await expectAccessible(page);
    await page.getByLabel('本文').press('Control+Enter');
    await page.getByText('URLには半角の英小文字').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('page-slug');
    await page.getByLabel('URL').fill('guide');
    await press(page, '保存する');
    await page.getByRole('heading', { name: '/content/guide を編集' }).waitFor();

    const visitor = await newPage();
    await visitor.goto('/content/guide');
    await visitor.getByRole('heading', { name: 'はじめに' }).waitFor();
  });

  it('ask before typed text is lost', async () => {
    const page = await openConsole('/operator/pages');
    await press(page, '「会員規約」の文章を書き換える');
    await expect.poll(() => page.getByLabel('本文').inputValue()).toContain('{site}');
    await press(page, '一覧に戻る');
    await press(page, '「会員規約」の文章を書き換える');
    await page.getByLabel('タイトル').fill('新しい規約');
    let asked = 0;
    page.once('dialog', (dialog) => {
      asked += 1;
      void dialog.dismiss();
    });
    const links = page.getByRole('navigation', { name: '運営' });
    await links.getByRole('link', { name: '概要' }).click({ noWaitAfter: true });
    await expect.poll(() => asked).toBe(1);
    await press(page, '一覧に戻る');
    await page.getByRole('alertdialog', { name: '編集をやめますか？' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('タイトル').inputValue()).toBe('新しい規約');
  });

  it('are deleted after a question, by keyboard', async () => {
    await runOperator(site, 'pages', 'save', 'guide', '--title', '案内', '--as', OTHER_STAFF);
    const page = await openConsole('/operator/pages');
    await row(page, '案内').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '「案内」を削除…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => row(page, '案内').count()).toBe(0);
  });
});

describe('notices in the console', () => {
  const makePicture = (background: string) =>
    sharp({ create: { width: 640, height: 360, channels: 3, background } })
      .png()
      .toBuffer();

  it('are added with a file, previewed as visitors see them, and removed', async () => {
    const page = await openConsole('/operator/notices', /400/);
    await press(page, '広告を追加');
    const file = page.getByLabel('画像または動画');
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByLabel('内容の説明').fill('春の市のお知らせ');
    await page.getByLabel('リンク').fill('https://example.com/spring');
    await page.getByLabel('終わり').fill('2026-01-01T00:00');
    await press(page, '保存する');
    await page.getByText('ファイルの中身が、名前の種類と合いません。').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('notice-file');
    await expectAccessible(page);
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await makePicture('#d4553a') });
    await page.getByLabel('終わり').fill('');
    await press(page, 'プレビュー');
    await page.getByRole('dialog', { name: '広告' }).getByText('残り15秒').waitFor();
    expect(await page.getByRole('img', { name: '春の市のお知らせ' }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: '広告を閉じますか?' })
      .getByRole('button', { name: '閉じる' })
      .click();
    await press(page, '保存する');
    await row(page, '春の市のお知らせ').getByText('表示中').waitFor();

    const next = async () =>
      ((await (await fetch(`${site.url}/notice/next`)).json()) as { notice: { text: string } | null }).notice;
    await expect.poll(next).toMatchObject({ text: '春の市のお知らせ', link: 'https://example.com/spring' });

    await press(page, '「春の市のお知らせ」を編集');
    await page.getByLabel('始まり').fill('2999-01-01T10:00');
    await page.getByLabel('内容の説明').press('Enter');
    await row(page, '2999/01/01 10:00').getByText('開始前').waitFor();
    await expect.poll(next).toBeNull();
    await expectAccessible(page);

    await press(page, '「春の市のお知らせ」を削除…');
    await page.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click();
    await expect.poll(() => row(page, '春の市のお知らせ').count()).toBe(0);
  });
});

describe('the site in the console', () => {
  it('is put into maintenance and back, while the console stays open', async () => {
    const page = await openConsole('/operator/site', /503/);
    const maintenance = page.getByRole('checkbox', { name: 'メンテナンス中にする' });
    await maintenance.focus();
    await page.keyboard.press('Space');
    await page.getByRole('alertdialog').getByRole('button', { name: 'メンテナンス中にする' }).click();
    await expect.poll(() => maintenance.isChecked()).toBe(true);
    const readStatus = async () => (await fetch(`${site.url}/contact`)).status;
    await expect.poll(readStatus, { timeout: 5_000 }).toBe(503);
    await page.reload();
    await expect.poll(() => maintenance.isChecked()).toBe(true);
    await maintenance.click();
    await expect.poll(readStatus, { timeout: 5_000 }).toBe(200);
  });

  it('gets a logo after a preview, and loses it again', async () => {
    const buffer = await sharp({ create: { width: 480, height: 120, channels: 3, background: '#356' } })
      .png()
      .toBuffer();
    const page = await openConsole('/operator/site');
    const card = page.getByRole('listitem').filter({ hasText: 'ヘッダーのロゴ' }).first();
    await card.getByRole('button', { name: 'ヘッダーのロゴの画像を選ぶ' }).waitFor();
    const input = card.locator('input[type=file]');
    await input.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer });
    await card.getByText('画像は .jpg').waitFor();
    await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await expect.poll(() => card.getByRole('img').getAttribute('src')).toMatch(/^blob:/);
    await expectAccessible(page);
    await press(page, 'ヘッダーのロゴを保存する');
    await expect.poll(() => card.getByRole('img').getAttribute('src')).toMatch(/^\/media\/pictures\//);
    await expect
      .poll(async () => (await fetch(`${site.url}/contact`)).text(), { timeout: 5_000 })
      .toContain('navbar-picture');
    await press(page, 'ヘッダーのロゴを外す…');
    await page.getByRole('alertdialog').getByRole('button', { name: '外す' }).click();
    await card.getByText('ありません').waitFor();
  });
});

describe('genres in the console', () => {
  it('are added, renamed and removed by keyboard, and a name that is taken keeps the text', async () => {
    const page = await openConsole('/operator/genres', /400/);
    await page.getByRole('button', { name: '種類に追加' }).waitFor();
    await expectAccessible(page);
    const dialog = page.getByRole('dialog');
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'ジャンルに追加', exact: true }).press('Enter');
      await dialog.getByLabel('名前').fill(name);
      await dialog.getByLabel('名前').press('Enter');
    };
    await add('季節');
    await row(page, '季節').getByText('0件').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await add('季節');
    await dialog.getByText('この名前は、すでに使われています。').waitFor();
    expect(await dialog.getByLabel('名前').inputValue()).toBe('季節');
    await expectAccessible(page, 'dialog[open]');
    await dialog.getByRole('button', { name: 'やめる' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '変更を破棄する' }).click();
    await press(page, '「季節」を編集');
    await dialog.getByLabel('名前').fill('四季');
    await dialog.getByLabel('名前').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await press(page, '「四季」を削除…');
    await page.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click();
    await expect.poll(() => row(page, '四季').count()).toBe(0);
  });
});

describe('a change that every visitor sees', () => {
  it('A12 of a page waits for the password, and keeps the text if it is not given', async () => {
    const page = await openConsole('/operator/pages', /403/);
    await press(page, 'ページを作る');
    await page.getByLabel('URL').fill('late');
    await page.getByLabel('タイトル').fill('おそい');
    await page.getByLabel('本文').fill('長い文章');
    await forgetPassword();
    await press(page, '保存する');
    const dialog = page.getByRole('dialog', { name: 'パスワードの確認' });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('本文').inputValue()).toBe('長い文章');
    expect((await fetch(`${site.url}/content/late`)).status).toBe(404);
    await press(page, '保存する');
    await givePassword(page);
    await page.getByRole('heading', { name: '/content/late を編集' }).waitFor();
    expect(await page.getByLabel('本文').inputValue()).toBe('長い文章');
    await runOperator(site, 'pages', 'remove', 'late', '--as', STAFF.email);
  });

  it('A12 sends the file of a notice again after the password', async () => {
    const page = await openConsole('/operator/notices', /403/);
    // Noise does not compress: the server answers before it has been given all of it.
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const picture = sharp({ create: { width: 1200, height: 900, channels: 3, noise, background: '#000' } });
    const buffer = await picture.png().toBuffer();
    expect(buffer.byteLength).toBeGreaterThan(2_000_000);
    await press(page, '広告を追加');
    await page.getByLabel('画像または動画').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await page.getByLabel('内容の説明').fill('おそい知らせ');
    await forgetPassword();
    await press(page, '保存する');
    await givePassword(page);
    await row(page, 'おそい知らせ').getByText('表示中').waitFor();
  });

  it('A12 of maintenance mode and of a genre waits for the password, also during maintenance', async () => {
    const page = await openConsole('/operator/site', /403|503/);
    const maintenance = (checked: boolean) =>
      page.getByRole('checkbox', { name: 'メンテナンス中にする', checked });
    await maintenance(false).waitFor();
    await forgetPassword();
    await maintenance(false).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'メンテナンス中にする' }).click();
    await givePassword(page);
    await maintenance(true).waitFor();
    await forgetPassword();
    await maintenance(true).click();
    await givePassword(page);
    await maintenance(false).waitFor();
    await page.goto('/operator/genres');
    await page.getByRole('button', { name: 'ジャンルに追加', exact: true }).click();
    const dialog = page.getByRole('dialog').filter({ hasText: '名前' });
    await dialog.getByLabel('名前').fill('深夜');
    await forgetPassword();
    await dialog.getByLabel('名前').press('Enter');
    await givePassword(page);
    await row(page, '深夜').getByText('0件').waitFor();
  });
});
