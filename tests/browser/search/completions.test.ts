import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/axe.ts';
import { logOut, openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';

const { open, newPage } = useBrowser();

const box = (page: Page) => page.getByRole('combobox', { name: 'サウンドを検索' });
const list = (page: Page) => page.getByRole('listbox', { name: '検索の候補' });
const option = (page: Page, name: string) => list(page).getByRole('option', { name, exact: true });
const searched = (page: Page) => new URL(page.url()).searchParams.get('search');
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('search:recent'));

/** The text of the option that the keyboard is on; '' for none. */
const active = (page: Page) =>
  page.evaluate(() => {
    const id = document.getElementById('search')?.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.textContent ?? '';
  });

async function type(page: Page, text: string): Promise<void> {
  await page.locator('#search').focus();
  await box(page).waitFor();
  await page.keyboard.type(text);
}

/** Opens /sounds after these searches, the last one first. */
async function openAfter(...searches: string[]): Promise<Page> {
  const page = await newPage();
  await page.addInitScript((texts) => {
    if (sessionStorage.getItem('seeded')) return;
    sessionStorage.setItem('seeded', '1');
    localStorage.setItem('search:recent', JSON.stringify({ owner: '', texts }));
  }, searches);
  await page.goto('/sounds');
  return page;
}

describe('completions in the search box', () => {
  it('offer kanji for kana by keyboard, and the list follows the chosen word', async () => {
    const page = await open('/sounds');
    await type(page, 'せんとう');
    await option(page, '戦闘').waitFor();
    expect(await box(page).getAttribute('aria-expanded')).toBe('true');
    expect(await active(page)).toBe('');
    await page.keyboard.press('ArrowDown');
    expect(await active(page)).toBe('戦闘');
    expect(await option(page, '戦闘').getAttribute('aria-selected')).toBe('true');
    // The text stays until something is chosen.
    expect(await box(page).inputValue()).toBe('せんとう');
    await page.keyboard.press('Enter');
    expect(await box(page).inputValue()).toBe('戦闘');
    await expect.poll(() => searched(page)).toBe('戦闘');
    expect(await list(page).isVisible()).toBe(false);
    expect(await box(page).getAttribute('aria-expanded')).toBe('false');
    expect(await box(page).evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it('leave Enter, Home and End to the text, and Escape closes them before it clears the text', async () => {
    const page = await open('/sounds');
    await type(page, 'せんとう');
    await option(page, '戦闘').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    expect(await active(page)).toBe('');
    expect(await box(page).evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(0);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    expect(await list(page).isVisible()).toBe(false);
    await expect.poll(() => searched(page)).toBe('せんとう');
    expect(await box(page).inputValue()).toBe('せんとう');
    await page.keyboard.press('ArrowDown');
    await option(page, '戦闘').waitFor();
    await page.keyboard.press('Escape');
    expect(await list(page).isVisible()).toBe(false);
    expect(await box(page).inputValue()).toBe('せんとう');
    await page.keyboard.press('Escape');
    expect(await box(page).inputValue()).toBe('');
    await expect.poll(() => searched(page)).toBeNull();
  });

  it('never choose during a composition', async () => {
    const page = await open('/sounds');
    await type(page, '');
    const cdp = await page.context().newCDPSession(page);
    for (const text of ['せ', 'せん', 'せんと', 'せんとう']) {
      const at = { selectionStart: text.length, selectionEnd: text.length };
      await cdp.send('Input.imeSetComposition', { text, ...at });
    }
    await option(page, '戦闘').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await active(page)).toBe('');
    for (const key of ['ArrowDown', 'Enter'])
      await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key, windowsVirtualKeyCode: 229 });
    expect(await active(page)).toBe('');
    expect(await box(page).inputValue()).toBe('せんとう');
    await cdp.send('Input.insertText', { text: '戦闘音' });
    await expect.poll(() => searched(page)).toBe('戦闘音');
    expect(await box(page).inputValue()).toBe('戦闘音');
  });

  it('open the page of a sound or an artist, also with the mouse', async () => {
    const page = await open('/sounds');
    await type(page, '最新');
    await option(page, '最新の戦闘音').click();
    await page.getByRole('heading', { level: 1, name: '最新の戦闘音' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/sounds\/\w+$/);
    await page.goto('/sounds');
    await type(page, '音の');
    await option(page, '音の人').waitFor();
    while ((await active(page)) !== '音の人') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/artist\//);
  });

  it('close when the focus leaves, and the listing below stays usable', async () => {
    const page = await open('/sounds');
    await type(page, '戦闘');
    await list(page).waitFor();
    await page.keyboard.press('Tab');
    expect(await list(page).isVisible()).toBe(false);
    await expect.poll(() => page.locator('[data-sound]').first().innerText()).toContain('戦闘');
  });

  it('have no fault that axe finds', async () => {
    const page = await openAfter('戦闘の朝', '海');
    await type(page, '戦闘');
    await option(page, '最新の戦闘音').waitFor();
    await page.keyboard.press('ArrowDown');
    await expectAccessible(page);
    expect(await list(page).isVisible()).toBe(true);
  });
});

describe('recent searches', () => {
  it('are offered in an empty box, and searched again', async () => {
    const page = await open('/sounds');
    await type(page, '決定音');
    await page.keyboard.press('Enter');
    await expect.poll(() => searched(page)).toBe('決定音');
    await page.goto('/sounds');
    await type(page, '');
    await option(page, '決定音').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => searched(page)).toBe('決定音');
  });

  it('can be forgotten one by one, by mouse and key, and all together', async () => {
    const page = await openAfter('雨', '海', '風', '空');
    await type(page, '');
    await page.getByRole('button', { name: '「海」を履歴から消す' }).click();
    await expect.poll(() => list(page).getByRole('option').allInnerTexts()).toEqual(['雨', '風', '空']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await expect.poll(() => list(page).getByRole('option').allInnerTexts()).toEqual(['風', '空']);
    expect(await stored(page)).toBe('{"owner":"","texts":["風","空"]}');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('すべて消す');
    await page.keyboard.press('Enter');
    expect(await list(page).isVisible()).toBe(false);
    expect(await stored(page)).toBeNull();
    expect(await box(page).evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it('are deleted with a log-out', async () => {
    const page = await openAsMember(newPage(), undefined, '/sounds');
    await type(page, '決定音');
    await page.keyboard.press('Enter');
    await expect.poll(() => stored(page)).toContain('決定音');
    await logOut(page);
    await expect.poll(() => stored(page)).toBeNull();
  });
});
