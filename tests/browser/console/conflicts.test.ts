import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { useConsole } from '../support/console.ts';
import { putNotices } from '../support/notices.ts';

const { site, openConsole } = useConsole();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

interface Editor {
  readonly name: string;
  readonly path: string;
  /** The button that opens it. */
  readonly edit: string;
  readonly field: string;
  readonly save: string;
  /** A value of the field. */
  value(text: string): string;
  /** Whether a save closes it. */
  readonly isClosed: boolean;
}

const EDITORS: readonly Editor[] = [
  {
    name: 'a page',
    path: '/operator/pages',
    edit: '「案内」を編集',
    field: '本文',
    save: '保存する',
    value: (text) => `本文は${text}`,
    isClosed: false,
  },
  {
    name: 'a notice',
    path: '/operator/notices',
    edit: '「春の市」を編集',
    field: 'リンク',
    save: '保存する',
    value: (text) => `https://example.com/${text}`,
    isClosed: true,
  },
  {
    name: 'an announcement',
    path: '/operator/announcements',
    edit: '「来週の予定」を編集',
    field: 'リンク',
    save: '保存する',
    value: (text) => `/content/${text}`,
    isClosed: true,
  },
  {
    name: 'a field of the profile',
    path: '/profile',
    edit: '自己紹介を編集',
    field: '自己紹介',
    save: '保存',
    value: (text) => `自己紹介は${text}`,
    isClosed: true,
  },
];

/** Presses the button, and returns the status of the answer. */
async function send(page: Page, name: string): Promise<number> {
  const answer = page.waitForResponse(
    (response) => response.url().includes('/api/') && response.request().method() !== 'GET',
  );
  await press(page, name);
  return (await answer).status();
}

async function open(page: Page, { edit, field }: Editor): Promise<Locator> {
  await press(page, edit);
  return page.locator('form').getByLabel(field);
}

beforeAll(async () => {
  await putNotices(site, [{ text: '春の市', link: 'https://example.com/first' }]);
  const page = await openConsole('/operator/pages');
  await press(page, 'ページを作る');
  await page.getByLabel('URL').fill('guide');
  await page.getByLabel('タイトル').fill('案内');
  await page.getByLabel('本文').fill('はじめに');
  await press(page, '保存する');
  await page.getByRole('heading', { name: '/content/guide を編集' }).waitFor();
  await page.goto('/operator/announcements');
  await press(page, '告知を追加');
  await page.getByLabel('文章').fill('来週の予定');
  await press(page, '保存する');
  await page.getByRole('row').filter({ hasText: '来週の予定' }).waitFor();
});

it.each(EDITORS.flatMap((editor) => (['take', 'keep'] as const).map((way) => ({ ...editor, way }))))(
  'a conflict of $name stays while its reader types, and ends: $way',
  async ({ way, ...editor }) => {
    const { path, field, save, value, isClosed } = editor;
    const page = await openConsole(path, /409/);
    const typed = await open(page, editor);
    const otherPage = await page.context().newPage();
    await otherPage.goto(path);
    const others = value(`${way}-other`);
    await (await open(otherPage, editor)).fill(others);
    expect(await send(otherPage, save)).toBe(200);

    await typed.fill(value(`${way}-mine`));
    expect(await send(page, save)).toBe(409);
    const theirs = page.locator('.conflict-theirs').filter({ hasText: `いま保存されている${field}` });
    await theirs.waitFor();
    await typed.press('End');
    await page.keyboard.type('2');
    expect(await typed.inputValue()).toBe(value(`${way}-mine2`));
    expect(await theirs.locator('dd').innerText()).toBe(others);
    await expectAccessible(page);

    if (way === 'keep') {
      expect(await send(page, '入力した内容で置き換える')).toBe(200);
      await theirs.waitFor({ state: 'hidden' });
      if (isClosed) {
        await page.getByText(value('keep-mine2'), { exact: true }).waitFor();
        await open(page, editor);
      }
      expect(await typed.inputValue()).toBe(value('keep-mine2'));
    } else {
      await press(page, '保存されている内容を使う');
      await theirs.waitFor({ state: 'hidden' });
      if (field === '自己紹介') await open(page, editor);
      expect(await typed.inputValue()).toBe(others);
    }
    await typed.fill(value(`${way}-second`));
    expect(await send(page, save)).toBe(200);
  },
);
