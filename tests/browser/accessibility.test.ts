import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MEMBER, PAYEE_EMAIL } from './support/catalogue.ts';
import { logIn } from './support/members.ts';
import { useBrowser } from './support/pages.ts';

const { open } = useBrowser();
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds against WCAG 2.2 AA, one line a fault. */
async function findFaults(page: Page): Promise<string[]> {
  // Not through a script element: the page's policy would refuse it.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

const PAGES = [
  '/',
  '/sounds',
  '/sounds?search=ありえない言葉&type=1',
  '/artist/音の人',
  '/member-terms',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?uid=a&token=b',
  '/contact',
  '/nothing',
];

describe.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 768],
  ['dark', 768],
  ['light', 320],
  ['dark', 320],
] as const)('in %s at %d px', (colorScheme, width) => {
  it.each(PAGES)('%s has no fault that axe finds and nothing beside the screen', async (path) => {
    const page = await open(path, { colorScheme, width, allow: /404/ });
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it('refused forms have none either, and focus stands on the first wrong field', async () => {
    for (const [path, first] of [
      ['/register', 'username'],
      ['/login', 'email'],
      ['/contact', 'name'],
    ] as const) {
      const page = await open(path, { colorScheme, width });
      const submit = page.getByRole('main').locator('button[type=submit]');
      await expect.poll(() => submit.isEnabled()).toBe(true);
      await submit.click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(first);
      expect(await findFaults(page)).toEqual([]);
    }
  });

  it('a member’s profile, opened for editing, and its dialogs have none either', async () => {
    const page = await open('/login', { colorScheme, width });
    await logIn(page, { ...MEMBER, email: PAYEE_EMAIL });
    const edit = (label: string) => page.getByRole('button', { name: `${label}を編集` });
    await expect.poll(() => edit('ユーザー名').isEnabled()).toBe(true);
    expect(await findFaults(page)).toEqual([]);
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('combobox').selectOption({ index: 2 });
    for (const label of ['ユーザー名', '自己紹介', '支援のリンク', '電話番号']) await edit(label).click();
    await page.getByLabel('電話番号', { exact: true }).fill('1');
    await page.keyboard.press('Enter');
    await page.getByText(/^電話番号は/).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    for (const name of [
      '背景を変更',
      'プロフィール画像を変更',
      '送金を依頼する',
      'すべての端末からログアウト',
    ]) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
  });

  it('the way to an ID, and an alert, have none either', async () => {
    const page = await open('/login', { colorScheme, width });
    await logIn(page);
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('button', { name: '本人確認書類を提出' }).click();
    await page.getByRole('alertdialog').waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  it('a message to an artist has none either', async () => {
    const page = await open('/artist/音の人', { colorScheme, width });
    await page.getByRole('button', { name: 'メッセージを送る' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('あ'.repeat(10_001));
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it('a sound, the playing bar and the sheet of keys have none either', async () => {
    const page = await open('/sounds?search=最新の戦闘音', { colorScheme, width });
    await page.getByRole('link', { name: '最新の戦闘音', exact: true }).first().click();
    await page.waitForURL(/\/sounds\/\w+$/);
    await page.locator('h1').waitFor();
    await page.locator('[data-play]').first().click();
    await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await findFaults(page)).toEqual([]);
    if (width < 768) {
      await page.goto('/sounds');
      await page.getByText('絞り込み').first().click();
      expect(await findFaults(page)).toEqual([]);
    }
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
