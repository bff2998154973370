import type { Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeMp3, shape, tone } from '#support/files/signals.ts';
import { ARTIST_EMAIL, MEMBER } from '../support/catalogue.ts';
import { openAsMember } from '../support/members.ts';
import { type OpenOptions, useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const site = useSite();
let mp3: Buffer;
let png: Buffer;
const { newPage } = useBrowser(() => site.url);
/** Browsers log every refused request to the console. */
const allow = /status of (400|409)/;

beforeAll(async () => {
  mp3 = await encodeMp3([shape(tone(2, -12), () => 0.5)]);
  png = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#264' } })
    .png()
    .toBuffer();
});

async function openSounds(
  options: OpenOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const page = await newPage({ allow, ...options });
  await prepare?.(page);
  await openAsMember(page, { ...MEMBER, email: ARTIST_EMAIL });
  await panelOf(page).getByRole('article').first().waitFor();
  return page;
}
const panelOf = (page: Page) => page.getByRole('tabpanel');
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'サウンドの編集' });
const questionOf = (page: Page) => page.getByRole('alertdialog', { name: '保存していない変更があります' });
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'アップロード中のファイル' })
    .getByRole('listitem')
    .filter({ hasText: name });
const nameOfFocus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element === document.body
      ? null
      : element?.getAttribute('aria-label') || element?.id || element?.textContent?.trim();
  });
const hasFocus = (page: Page, name: unknown) => expect.poll(() => nameOfFocus(page)).toEqual(name);
const choose = (page: Page, ...names: string[]) =>
  page
    .getByLabel('音声ファイル', { exact: true })
    .setInputFiles(names.map((name) => ({ name, mimeType: 'audio/mpeg', buffer: mp3 })));

async function openEditor(page: Page): Promise<void> {
  await panelOf(page)
    .getByRole('button', { name: /を編集$/ })
    .first()
    .click();
  await dialogOf(page).waitFor();
}

/** Drops a file onto an element. Returns whether the page handled it; otherwise the browser opens the file. */
async function drop(page: Page, selector: string, name: string, type: string, bytes: Buffer) {
  const content = bytes.toString('base64');
  return page.locator(selector).evaluate(
    (element, file) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], file.name, { type: file.type }));
      const send = (kind: string) =>
        element.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
      send('dragenter');
      const isFollowed = !send('dragover');
      return !send('drop') && isFollowed;
    },
    { name, type, content },
  );
}

describe('a dialog without unsaved text', () => {
  it('closes by a press beside it, not by one that begins or ends inside', async () => {
    const page = await openSounds();
    const press = async (from: readonly [number, number], to: readonly [number, number]) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to);
      await page.mouse.up();
    };
    await openEditor(page);
    const { x, y } = (await dialogOf(page).boundingBox())!;
    const [inside, beside] = [[x + 40, y + 40] as const, [5, 450] as const];
    await press(inside, beside);
    await press(beside, inside);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(await dialogOf(page).isVisible()).toBe(true);
    await press(beside, beside);
    await dialogOf(page).waitFor({ state: 'hidden' });
  });
});

describe('the edit dialog', () => {
  it('asks about unsaved text on a press outside, not on one inside, nor on Escape during composition', async () => {
    const page = await openSounds();
    await openEditor(page);
    await dialogOf(page).getByLabel('タイトル', { exact: true }).fill('まだ保存していない');
    // The scrollbar belongs to the dialog. Headless browsers draw none to press.
    await dialogOf(page).evaluate((dialog) => {
      const { right, top } = dialog.getBoundingClientRect();
      const place = { clientX: right - 4, clientY: top + 40, bubbles: true };
      for (const kind of ['mousedown', 'mouseup', 'click']) dialog.dispatchEvent(new MouseEvent(kind, place));
      const conversion = { key: 'Escape', keyCode: 229, bubbles: true };
      dialog.dispatchEvent(new KeyboardEvent('keydown', conversion));
    });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(await questionOf(page).count()).toBe(0);
    await page.mouse.click(5, 450);
    await questionOf(page).waitFor();
  });

  it('announces toasts inside itself, and focuses the rejected field', async () => {
    const page = await openSounds();
    const reply = { title: ['その題名は使えません。'], detail: 'もう一度お試しください。' };
    await page.route('**/api/sounds/*/', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 400, json: reply }) : route.continue(),
    );
    await openEditor(page);
    await dialogOf(page).getByLabel('タイトル', { exact: true }).fill('使えない題名');
    await dialogOf(page).getByLabel('説明', { exact: true }).fill('説明です。');
    await dialogOf(page).getByRole('button', { name: '保存', exact: true }).click();
    for (const text of ['title: その題名は使えません。', 'detail: もう一度お試しください。']) {
      await dialogOf(page).getByRole('status').getByText(text).waitFor({ state: 'attached' });
    }
    await hasFocus(page, 'sound-title');
    // An announced message is not repeated in the next dialog.
    await dialogOf(page).getByRole('button', { name: '閉じる' }).click();
    await questionOf(page).getByRole('button', { name: '変更を破棄する' }).click();
    await openEditor(page);
    expect(await dialogOf(page).getByText('title: その題名は使えません。').count()).toBe(0);
  });

  it('leads to the genres when too many of them prevent saving', async () => {
    const sub_genres = Array.from({ length: 20 }, (_, index) => ({ id: 900 + index, name: `印${index}` }));
    const page = await openSounds({}, (page) =>
      page.route('**/api/genres/', (route) => route.fulfill({ json: [{ id: 9, name: '印', sub_genres }] })),
    );
    await openEditor(page);
    for (let index = 0; index < 15; index += 1) {
      await dialogOf(page)
        .getByRole('button', { name: `印${index}`, exact: true })
        .click();
    }
    await dialogOf(page).getByRole('alert').getByText('ジャンルは14個まで選べます。').waitFor();
    expect(await dialogOf(page).getByRole('button', { name: '保存', exact: true }).isDisabled()).toBe(true);
    await dialogOf(page).getByRole('button', { name: 'ジャンルは14個まで選べます。' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('FIELDSET');
  });

  it('accepts a picture dropped onto its thumbnail, and no other dropped file', async () => {
    const page = await openSounds();
    await openEditor(page);
    expect(await drop(page, 'dialog[open] #sound-title', 'よそ見.mp3', 'audio/mpeg', mp3)).toBe(true);
    expect(await drop(page, '.sound-thumbnail', '空.png', 'image/png', png)).toBe(true);
    await dialogOf(page).getByAltText('選んだ画像').waitFor();
    expect(await rowOf(page, 'よそ見').count()).toBe(0);
  });
});

describe('the sounds section', () => {
  it('keeps a dropped file from replacing the page where no drop is accepted', async () => {
    const page = await openSounds();
    await page.getByRole('tab', { name: 'お気に入り曲' }).click();
    expect(await drop(page, '.my-sounds', 'よそ見.mp3', 'audio/mpeg', mp3)).toBe(true);
    expect(await rowOf(page, 'よそ見').count()).toBe(0);
  });

  it('keeps focus when rows of the queue, or their buttons, disappear', async () => {
    const page = await openSounds();
    const held: Route[] = [];
    let status: number | null = 409;
    await page.route('**/api/uploads/', (route) => {
      if (status === null) return void held.push(route);
      return route.fulfill({ status, json: { detail: '今は受け取れません。' } });
    });
    await choose(page, '一.mp3', '二.mp3', '三.mp3');
    const again = page.getByRole('button', { name: '失敗した3件をもう一度送る' });
    await again.waitFor();
    status = null;
    await page.getByRole('button', { name: '二.mp3を再試行' }).press('Enter');
    await hasFocus(page, '二.mp3のアップロードをキャンセル');
    await page.getByRole('button', { name: '失敗した2件をもう一度送る' }).press('Enter');
    await hasFocus(page, '一.mp3のアップロードをキャンセル');
    await page.keyboard.press('Enter');
    await hasFocus(page, '二.mp3のアップロードをキャンセル');
    await page.getByRole('button', { name: '三.mp3のアップロードをキャンセル' }).press('Enter');
    await hasFocus(page, '二.mp3のアップロードをキャンセル');
    await page.keyboard.press('Enter');
    await hasFocus(page, 'アップロード');
    expect(await rowOf(page, '.mp3').count()).toBe(0);
  });

  it('says below the cards why there are no more, and focuses the first new one', async () => {
    let isDown = false;
    const page = await openSounds({}, (page) => page.route('**/api/sounds/?*include_private*', cutInTwo));
    async function cutInTwo(route: Route): Promise<void> {
      const url = new URL(route.request().url());
      const isFirst = !url.searchParams.has('page');
      url.searchParams.delete('page');
      if (isDown && !isFirst) return route.fulfill({ status: 409, json: {} });
      const reply = await route.fetch({ url: url.href });
      const list = (await reply.json()) as { results: object[] };
      const results = isFirst ? list.results.slice(0, 3) : list.results.slice(3);
      return route.fulfill({ response: reply, json: { ...list, results, next: isFirst ? 2 : null } });
    }
    const cards = panelOf(page).getByRole('article');
    const more = panelOf(page).getByRole('button', { name: 'もっと見る' });
    expect(await cards.count()).toBe(3);
    isDown = true;
    await more.press('Enter');
    const failure = panelOf(page).getByRole('alert').filter({ hasText: 'もう一度読み込む' });
    await failure.waitFor();
    const cardsEnd = (await panelOf(page).locator('.sound-grid').boundingBox()) ?? expect.fail('no cards');
    expect((await failure.boundingBox())?.y).toBeGreaterThanOrEqual(cardsEnd.y + cardsEnd.height);
    isDown = false;
    await failure.getByRole('button', { name: 'もう一度読み込む' }).press('Enter');
    await expect.poll(() => cards.count()).toBeGreaterThan(3);
    expect(await more.count()).toBe(0);
    await expect
      .poll(() => cards.nth(3).evaluate((card) => card.contains(document.activeElement)))
      .toBe(true);
  });
});

describe('coming back to the profile', () => {
  const leave = (page: Page) =>
    page.evaluate(() => document.querySelector<HTMLElement>('footer a[href^="/"]')?.click());

  it('restores the chosen month, starts with the first tab, and drops an unsent picture and an open editor', async () => {
    const page = await openSounds();
    await page.evaluate(() => Reflect.set(window, 'isSamePage', true));
    const month = page.getByLabel('月', { exact: true });
    await month.selectOption({ index: 1 });
    const chosen = await month.inputValue();
    await page
      .getByRole('button', { name: /プロフィール画像/ })
      .first()
      .click();
    const picture = page.getByRole('dialog', { name: 'プロフィール画像の変更' });
    await picture
      .getByLabel('画像ファイル')
      .setInputFiles({ name: '空.png', mimeType: 'image/png', buffer: png });
    await picture.getByAltText('選んだ画像').waitFor();
    await leave(page);
    await page.waitForURL((url) => url.pathname !== '/profile');
    await page.goBack();
    await panelOf(page).getByRole('article').first().waitFor();
    await expect.poll(() => month.inputValue()).toBe(chosen);
    await page
      .getByRole('button', { name: /プロフィール画像/ })
      .first()
      .click();
    await picture.getByRole('button', { name: '画像を選ぶ' }).waitFor();
    expect(await picture.getByAltText('選んだ画像').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: '効果音' }).click();
    await openEditor(page);
    await leave(page);
    await page.waitForURL((url) => url.pathname !== '/profile');
    await page.goBack();
    await panelOf(page).getByRole('article').first().waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'BGM' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.evaluate(() => Reflect.get(window, 'isSamePage') as unknown)).toBe(true);
  });
});
