import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addArtist, addSound } from '../support/artists.ts';
import { type Account, openAsMember } from '../support/members.ts';
import { useBrowser, visit } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';

const { site, newPage } = useBrowser(useSite());
let artist: Account;

beforeAll(async () => {
  artist = await addArtist(site, '直す人');
  await addSound(site, artist, '直す曲');
});

const panelOf = (page: Page) => page.getByRole('tabpanel');
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'サウンドの編集' });
const hasFocus = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id ?? '',
      ),
    )
    .toBe(name);

/** Opens the editor of the first sound; `prepare` runs before the page loads. */
async function openEditor(prepare?: (page: Page) => Promise<unknown>, allow?: RegExp): Promise<Page> {
  const page = await newPage(allow && { allow });
  await prepare?.(page);
  await openAsMember(page, artist);
  await panelOf(page)
    .getByRole('button', { name: /を編集$/ })
    .first()
    .click();
  await dialogOf(page).waitFor();
  return page;
}

describe('editing a sound', () => {
  it('cannot save while a row is invalid, and leads to that row', async () => {
    const page = await openEditor();
    const save = dialogOf(page).getByRole('button', { name: '保存', exact: true });
    const tempo = dialogOf(page).getByLabel('BPM', { exact: true });
    await tempo.fill('１２８拍');
    const problem = 'BPMは20から300までの数字で入力してください。';
    await expect.poll(() => save.isDisabled()).toBe(true);
    expect(await tempo.getAttribute('aria-describedby')).toBe('sound-bpm-error');
    expect(await dialogOf(page).locator('#sound-bpm-error').innerText()).toContain(problem);
    await dialogOf(page).getByLabel('タイトル', { exact: true }).focus();
    await dialogOf(page).getByRole('button', { name: problem }).click();
    await hasFocus(page, 'sound-bpm');
    await tempo.fill('１２８');
    await expect.poll(() => save.isEnabled()).toBe(true);
    expect(await dialogOf(page).getByRole('button', { name: problem }).count()).toBe(0);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save.click();
    expect((await sent).postData()).toContain('\r\n\r\n128\r\n');
    await expect.poll(() => dialogOf(page).count()).toBe(0);
  });

  it('saves everything that was changed with one key, past rows without a change', async () => {
    const page = await openEditor();
    await dialogOf(page).getByLabel('タイトル', { exact: true }).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('・改');
    await page.keyboard.press('Tab');
    await hasFocus(page, 'タイトルを保存');
    await page.keyboard.press('Tab');
    await hasFocus(page, 'sound-is_ai_generated');
    await page.keyboard.press('Tab');
    await hasFocus(page, 'sound-description');
    await page.keyboard.type('鍵盤で。');
    await dialogOf(page).getByText('変更 2件').waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.keyboard.press('Control+Enter');
    const body = (await sent).postData() ?? '';
    expect(body.match(/(?<=name=")\w+/g)).toEqual(['title', 'description', 'updated_at']);
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    await panelOf(page).getByRole('article', { name: /・改$/ }).waitFor();
  });

  it('scrolls to what another tab has saved first', async () => {
    const other = await openEditor();
    const page = await openEditor(undefined, /409/);
    await Promise.all(
      [other, page].map((tab, index) =>
        dialogOf(tab)
          .getByLabel('説明', { exact: true })
          .fill(`説明${index + 1}`),
      ),
    );
    await dialogOf(other).getByRole('button', { name: '保存', exact: true }).click();
    await expect.poll(() => dialogOf(other).count()).toBe(0);
    await dialogOf(page).getByRole('button', { name: '保存', exact: true }).click();
    // In view, and not below the foot of the dialog.
    const keep = dialogOf(page).getByRole('button', { name: '入力した内容で置き換える' });
    await keep.waitFor();
    expect(
      await keep.evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === button;
      }),
    ).toBe(true);
    await keep.click();
    await expect.poll(() => keep.count()).toBe(0);
  });

  it('is on public pages at once for the artist, also on those that the browser has cached', async () => {
    const page = await newPage();
    const own = `/artist/${encodeURIComponent('直す人')}`;
    await openAsMember(page, artist, own);
    const title = await page.locator('[data-sound] [data-title]').first().innerText();
    await visit(page, '/sounds');
    await page.getByText(title, { exact: true }).first().waitFor();
    await visit(page, '/profile');
    await page.getByRole('button', { name: `${title}を編集` }).click();
    await dialogOf(page).getByLabel('タイトル', { exact: true }).fill('直した曲');
    await dialogOf(page).getByRole('button', { name: '保存', exact: true }).click();
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    await page.locator('nav a[href="/sounds"]').first().click();
    await page.waitForURL('**/sounds');
    await page.getByText('直した曲', { exact: true }).first().waitFor();
    expect(await page.getByText(title, { exact: true }).count()).toBe(0);
    await page.goto(own);
    await page.getByText('直した曲', { exact: true }).first().waitFor();
    expect(await page.getByText(title, { exact: true }).count()).toBe(0);
  });

  it('says that tempo and key of a new sound are being measured, and then shows them', async () => {
    let isMeasured = false;
    const estimates = { bpm: 128, is_bpm_estimated: true, key: 'Am', is_key_estimated: true };
    const findings = {
      silent_head_ms: 0,
      clips_ms: [],
      clip_count: 0,
      is_tail_cut: false,
      loudness_lufs: -14,
    };
    const toFresh = (sound: object) => ({
      ...sound,
      bpm: undefined,
      key: undefined,
      findings: undefined,
      created_at: new Date().toISOString(),
      ...(isMeasured && { ...estimates, findings }),
    });
    const page = await openEditor(async (page) => {
      await page.route('**/api/sounds/?*include_private*', async (route) => {
        const reply = await route.fetch();
        const list = (await reply.json()) as { results: object[] };
        return route.fulfill({ response: reply, json: { ...list, results: list.results.map(toFresh) } });
      });
      await page.route(/\/api\/sounds\/(?!types)\w+\/$/, async (route) => {
        const reply = await route.fetch();
        return route.fulfill({ response: reply, json: toFresh((await reply.json()) as object) });
      });
    });
    const tempo = dialogOf(page).getByLabel('BPM', { exact: true });
    const key = dialogOf(page).getByLabel('キー', { exact: true }).locator('option:checked');
    await expect.poll(() => tempo.getAttribute('placeholder')).toBe('測定中');
    await expect.poll(() => key.innerText()).toBe('測定中');
    await dialogOf(page).getByLabel('タイトル', { exact: true }).fill('書きかけ');
    isMeasured = true;
    await expect.poll(() => tempo.getAttribute('placeholder')).toBe('推定：128');
    await expect.poll(() => key.innerText()).toBe('推定：イ短調 Am');
    expect(await dialogOf(page).getByLabel('タイトル', { exact: true }).inputValue()).toBe('書きかけ');
  });
});
