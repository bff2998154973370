import { describe, expect, it } from 'vitest';
import { RESUMABLE_UPLOADS_PATH as UPLOADS_PATH } from '#contract/sounds/resumable-uploads.ts';
import { WIDTHS, expectAccessible } from '../support/axe.ts';
import { ARTIST_EMAIL, MEMBER, PAYEE_EMAIL } from '../support/catalogue.ts';
import { openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';

const { open, newPage } = useBrowser();

const PAGES = [
  '/',
  '/sounds',
  '/sounds?search=ありえない言葉&type=1',
  '/artist/音の人',
  '/member-terms',
  '/legal/external-transmission',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?uid=a&token=b',
  '/contact',
  '/nothing',
  '/api/docs',
];

describe('at each width, in light and dark, axe finds no fault and nothing overflows the screen', () => {
  it.each(PAGES)('on %s', async (path) => {
    const page = await open(path, { allow: /404/ });
    // Swagger UI renders it by a script of its own.
    await page.getByRole('main').waitFor();
    await expectAccessible(page);
  });

  it('in rejected forms, with focus on the first invalid field', async () => {
    for (const [path, first] of [
      ['/register', 'username'],
      ['/login', 'email'],
      ['/contact', 'name'],
    ] as const) {
      const page = await open(path);
      const submit = page.getByRole('main').locator('button[type=submit]');
      await expect.poll(() => submit.isEnabled()).toBe(true);
      await submit.click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(first);
      await expectAccessible(page);
    }
  });

  it('in a member’s profile, opened for editing, and its dialogs', async () => {
    const page = await openAsMember(newPage(), { ...MEMBER, email: PAYEE_EMAIL });
    const edit = (label: string) => page.getByRole('button', { name: `${label}を編集` });
    await expect.poll(() => edit('ユーザー名').isEnabled()).toBe(true);
    await expectAccessible(page);
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('combobox').selectOption({ index: 2 });
    for (const label of ['ユーザー名', '自己紹介', '支援のリンク', '電話番号']) await edit(label).click();
    await page.getByLabel('電話番号', { exact: true }).fill('1');
    await page.keyboard.press('Enter');
    await page.getByText(/^電話番号は/).waitFor();
    await expectAccessible(page);
    for (const name of [
      '背景を変更',
      'プロフィール画像を変更',
      '送金を依頼する',
      'すべての端末からログアウト',
    ]) {
      await page.getByRole('button', { name }).click();
      await page.locator('dialog:modal').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog:modal').count()).toBe(0);
    }
  });

  it('in an artist’s own sounds, uploads in progress, and the dialogs of a sound', async () => {
    const page = await newPage({ allow: /400/ });
    // One upload stays in progress and one is rejected. The catalogue does not change.
    await page.route(/\/api\/sounds\/$/, async (route) => {
      if (route.request().postDataBuffer()?.includes('refused.mp3')) {
        await route.fulfill({ status: 400, json: { file: '同じサウンドがあります。' } });
      }
    });
    const addresses: string[] = [];
    page.on('response', (response) => {
      const { location } = response.headers();
      if (response.url().endsWith(UPLOADS_PATH) && location !== undefined) addresses.push(location);
    });
    await openAsMember(page, { ...MEMBER, email: ARTIST_EMAIL });
    const section = page.getByRole('region', { name: 'サウンド', exact: true });
    await section.getByRole('article').first().waitFor();
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'audio/mpeg',
      buffer: Buffer.from(text),
    });
    // A browser that cannot determine the duration leaves the check to the host.
    await page.evaluate(() => (HTMLMediaElement.prototype.canPlayType = () => ''));
    await section
      .getByLabel('音声ファイル')
      .setInputFiles([
        file(`${'とても長い名前'.repeat(20)}.mp3`, 'on its way'),
        file('refused.mp3', 'refused'),
        file('empty.mp3', ''),
      ]);
    await section.getByText('同じサウンドがあります。').waitFor();
    await expectAccessible(page);
    for (const [button, dialog] of [
      [/を編集$/, 'サウンドの編集'],
      [/を削除$/, 'ファイルの削除'],
    ] as const) {
      await section.getByRole('article').getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog', { name: dialog }).waitFor();
      if (dialog === 'サウンドの編集') await page.getByLabel('ファイル', { exact: true }).fill(' ');
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      const discard = page.getByRole('button', { name: '変更を破棄する' });
      if (dialog === 'サウンドの編集') await discard.waitFor();
      if (await discard.isVisible()) {
        await expectAccessible(page);
        await discard.click();
      }
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    await page.getByRole('tab', { name: 'お気に入り曲' }).click();
    await page.getByText(/お気に入りはまだありません/).waitFor();
    await expectAccessible(page);

    // The site is shared, and a member may have at most ten open uploads.
    expect(addresses).toHaveLength(2);
    const statuses = await page.evaluate(async (paths) => {
      const headers = {
        authorization: `Bearer ${localStorage.getItem('token')}`,
        'tus-resumable': '1.0.0',
        'x-xsrf-token': /XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '',
      };
      const ends = await Promise.all(paths.map((path) => fetch(path, { method: 'DELETE', headers })));
      return ends.map(({ status }) => status);
    }, addresses);
    expect(statuses).toEqual([204, 204]);
  });

  it('in the steps before an ID upload, and an alert', async () => {
    const page = await openAsMember(newPage());
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('button', { name: '本人確認書類を提出' }).click();
    await page.getByRole('alertdialog').waitFor();
    await expectAccessible(page);
  });

  it('in the quality check: its application when opened, rejected and filled in', async () => {
    const page = await openAsMember(newPage());
    await page.getByRole('button', { name: '申請する' }).click();
    const dialog = page.getByRole('dialog', { name: 'クオリティチェックの申請' });
    await dialog.getByLabel('BGM').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: '申請する' }).click();
    await dialog.getByText('ファイルを3つ以上').waitFor();
    for (const [index, name] of [`${'長い名前の曲'.repeat(6)}.mp3`, 'unbroken'.repeat(9)].entries()) {
      const file = { name: `${name}.mp3`, mimeType: 'audio/mpeg', buffer: Buffer.alloc(index + 1) };
      await page.locator(`#quality-check-file_${index + 1}`).setInputFiles(file);
    }
    const empty = { name: 'empty.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(0) };
    await page.locator('#quality-check-file_3').setInputFiles(empty);
    await dialog.getByText('ファイルが空です').waitFor();
    await expectAccessible(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth), `${width}`).toBe(
        0,
      );
    }
  });

  it('in a message to an artist', async () => {
    const page = await open('/artist/音の人');
    await page.getByRole('button', { name: 'メッセージを送る' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('あ'.repeat(10_001));
    await expectAccessible(page);
  });

  it('in a sound, the active player bar, the keyboard help and the filters of a narrow screen', async () => {
    const page = await open('/sounds?search=最新の戦闘音');
    await page.getByRole('link', { name: '最新の戦闘音', exact: true }).first().click();
    await page.waitForURL(/\/sounds\/\w+$/);
    await page.locator('h1').waitFor();
    await page.locator('[data-play]').first().click();
    await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto('/sounds');
    await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
    await page.getByText('絞り込み').first().click();
    await expectAccessible(page, ':root', [320]);
  });
});

describe('by keyboard alone', () => {
  it('skips to the content and reaches every control of a card', async () => {
    const page = await open('/sounds');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('本文へスキップ');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    const reached = new Set<string>();
    for (let press = 0; press < 70; press += 1) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(
          () =>
            document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      );
    }
    expect([...reached]).toEqual(
      expect.arrayContaining([
        'BGM',
        '最新の戦闘音を再生',
        'お気に入り：最新の戦闘音',
        '最新の戦闘音をダウンロード',
      ]),
    );
  });
});
