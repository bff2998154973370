import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAsMember } from '../support/members.ts';
import { useBrowser, visit, waitForAnswers } from '../support/pages.ts';

const { open, newPage } = useBrowser();

/** All of its files play. */
const LIST = '/sounds?search=静かな雨';

const player = (page: Page) => page.getByRole('region', { name: 'プレーヤー' });
/** The place in the list of the card that has the focus; −1 for none. */
const place = (page: Page) =>
  page.evaluate(() => {
    const card = document.activeElement?.closest('[data-sound]');
    return [...document.querySelectorAll('[data-queue] [data-sound]')].indexOf(card as Element);
  });
const titleOf = (page: Page, index: number) =>
  page.locator('[data-queue] [data-title]').nth(index).innerText();

/** Switches the keys as the help does in another tab. */
const setKeys = (page: Page, areOn: boolean) =>
  page.evaluate((newValue) => {
    localStorage.setItem('player:keys', newValue);
    dispatchEvent(new StorageEvent('storage', { key: 'player:keys', newValue }));
  }, String(areOn));
/** Waits until the keys pressed so far have been handled, once their script has been loaded by an earlier one. */
const settleKeys = (page: Page) =>
  // As text: Vitest rewrites import() in functions.
  page.evaluate(
    `import(performance.getEntriesByType('resource').find(({ name }) => name.includes('/list-keys.')).name)`,
  );

/** Tab from the element before the list, as a keyboard does. */
async function enterList(page: Page): Promise<void> {
  await page.locator('#orderings a').last().focus();
  // A search has links to remove its conditions first.
  for (let press = 0; press < 5 && (await place(page)) === -1; press += 1) await page.keyboard.press('Tab');
  expect(await place(page)).toBe(0);
}

describe('keys on a card', () => {
  it('go to the next and previous card, stop at the ends, and Space plays and pauses there', async () => {
    const page = await open(LIST);
    await enterList(page);
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(1);
    await page.keyboard.press('J');
    await expect.poll(() => place(page)).toBe(2);
    await page.keyboard.press('k');
    await expect.poll(() => place(page)).toBe(1);
    await page.keyboard.press(' ');
    await player(page).getByRole('button', { name: '一時停止' }).waitFor();
    expect(await player(page).innerText()).toContain(await titleOf(page, 1));
    await page.keyboard.press(' ');
    await player(page).getByRole('button', { name: '再生' }).waitFor();
    const last = (await page.locator('[data-queue] [data-sound]').count()) - 1;
    expect(last).toBeGreaterThan(8);
    for (let press = 0; press < last; press += 1) await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(last);
    const card = (await page.locator('[data-queue] [data-sound]').nth(last).boundingBox())!;
    const bar = (await player(page).boundingBox())!;
    expect(card.y + card.height).toBeLessThanOrEqual(bar.y + 1);
  });

  it('download and favourite the card, not the sound that plays', async () => {
    const page = await openAsMember(newPage(), undefined, LIST);
    await page.locator('[data-queue] [data-play]').first().click();
    await player(page).getByRole('button', { name: '一時停止' }).waitFor();
    await enterList(page);
    await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(1);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
    });
    const id = await page.locator('[data-queue] [data-sound]').nth(1).getAttribute('data-sound');
    await page.keyboard.press('f');
    await expect.poll(() => asked).toContain(`/api/sounds/${id}/toggle-favorite`);
    await page.keyboard.press('f');
    await waitForAnswers(page);
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('広告閲覧後、無料でダウンロードされます。').waitFor();
    expect(await dialog.innerText()).toContain(await titleOf(page, 1));
  });

  it('lead from elsewhere to the first card in view, or on from the card that was clicked', async () => {
    const page = await open(LIST);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(1);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const cards = page.locator('[data-queue] [data-sound]');
    await cards.nth(8).evaluate((card) => card.scrollIntoView({ block: 'start' }));
    await page.keyboard.press('k');
    await expect.poll(() => place(page)).toBeGreaterThan(3);
    await cards.nth(2).locator('[data-play]').click();
    await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(3);
  });

  it('do nothing with a modifier, while typing, and when keys are switched off', async () => {
    const page = await open('/sounds');
    await page.keyboard.press('f');
    await page.keyboard.press('/');
    await page.keyboard.type('jkfd');
    expect(await page.locator('#search').inputValue()).toBe('jkfd');
    await visit(page, '/sounds');
    await enterList(page);
    await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(1);
    for (const modifier of ['Control', 'Alt', 'Meta']) await page.keyboard.press(`${modifier}+j`);
    // Keys are handled in their order.
    await page.keyboard.press('k');
    await expect.poll(() => place(page)).toBe(0);
    await setKeys(page, false);
    await page.keyboard.press('j');
    await settleKeys(page);
    expect(await place(page)).toBe(0);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('j');
    await settleKeys(page);
    expect(await place(page)).toBe(-1);
    await setKeys(page, true);
    await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(0);
  });

  it('leave the page behind a dialog where it is', async () => {
    const page = await open(LIST);
    await page.keyboard.press('j');
    await expect.poll(() => place(page)).toBe(0);
    await page.evaluate(() => document.querySelector('main')!.append(document.createElement('dialog')));
    await page.evaluate(() => {
      const dialog = document.querySelector<HTMLDialogElement>('main > dialog')!;
      dialog.innerHTML = '<button>OK</button>';
      dialog.showModal();
      const cards = document.querySelectorAll('[data-queue] [data-sound]');
      cards[8]?.scrollIntoView({ block: 'center' });
    });
    const before = await page.evaluate(() => scrollY);
    await page.keyboard.press('j');
    await settleKeys(page);
    expect(await page.evaluate(() => scrollY)).toBe(before);
    expect(await place(page)).toBe(-1);
  });

  it('are listed in the help', async () => {
    const page = await open('/sounds');
    await page.getByRole('button', { name: 'キーボード操作' }).click();
    await page.getByText('リストの次・前のサウンドを選ぶ').waitFor();
  });
});
