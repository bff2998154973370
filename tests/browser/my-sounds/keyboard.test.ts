import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePicture, writeTone } from '../support/artist-files.ts';
import { addArtist, addMember, cardOf, chooseSounds, openMySounds, toast } from '../support/artists.ts';
import { expectFocus, tabTo } from '../support/focus.ts';
import { heartOf } from '../support/members.ts';
import { type OpenOptions, useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { runOperator } from '../support/staff.ts';

const site = useSite();
let folder: string;
const { newPage } = useBrowser(() => site.url);
/** Browsers log every refused request to the console. */
const allow = /status of 40[0134]/;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artist-keyboard-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function openSounds(name: string, size: OpenOptions = {}): Promise<Page> {
  const page = await newPage({ allow, ...size });
  await openMySounds(page, await addArtist(site, name));
  return page;
}

/** The answer to a call that the member makes without using a button. */
function call(page: Page, method: string, path: string, texts: Readonly<Record<string, string>> = {}) {
  return page.evaluate(
    async ({ method, path, texts }) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(texts)) body.set(name, value);
      const reply = await fetch(path, {
        method,
        headers: {
          authorization: `Bearer ${localStorage.getItem('token')}`,
          'x-xsrf-token': decodeURIComponent(/XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? ''),
        },
        ...(method !== 'GET' && { body }),
      });
      return { status: reply.status, text: await reply.text() };
    },
    { method, path, texts },
  );
}

describe.each([
  { width: 1440, height: 900 },
  { width: 320, height: 700 },
])('by keyboard alone at $width × $height, with visible focus at each stop', (size) => {
  it('an artist uploads, edits, publishes, favourites and deletes', async () => {
    const page = await openSounds(`鍵盤の人${size.width}`, size);
    const song = await writeTone(folder, '朝の歌.mp3', 300 + size.width / 10);
    const picture = await writePicture(folder);
    let next = song;
    page.on('filechooser', (chooser) => void chooser.setFiles(next));

    await tabTo(page, 'BGM');
    await page.keyboard.press('ArrowRight');
    await expectFocus(page, '効果音');
    await page.keyboard.press('Home');
    await expectFocus(page, 'BGM');
    await tabTo(page, 'アップロード');
    await page.keyboard.press('Enter');
    await toast(page, 'サウンドがアップロードされました');
    await cardOf(page, '朝の歌').waitFor();
    await expectFocus(page, 'アップロード');

    await tabTo(page, '朝の歌を再生');
    await tabTo(page, '朝の歌を編集');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'サウンドの編集' }).waitFor();
    next = picture;
    await expectFocus(page, 'サムネイルの画像を選ぶ');
    await page.keyboard.press('Enter');
    await page.getByAltText('選んだ画像').waitFor();
    await expectFocus(page, 'サムネイルの画像を選ぶ');
    await tabTo(page, 'ステータス');
    await page.keyboard.press('ArrowUp');
    await tabTo(page, 'タイトル');
    await page.keyboard.press('End');
    await page.keyboard.type('・改');
    await tabTo(page, 'タイトルを保存');
    await page.keyboard.press('Enter');
    await page.getByText('保存しました').waitFor();
    await expectFocus(page, 'タイトルを保存');
    await tabTo(page, '説明');
    await page.keyboard.type('鍵盤だけで書きました。');
    await tabTo(page, '緊張感');
    await page.keyboard.press('Space');
    await expectFocus(page, '緊張感');
    await page.keyboard.press('Escape');
    await expectFocus(page, '編集に戻る');
    await page.keyboard.press('Enter');
    await expectFocus(page, '緊張感');
    await tabTo(page, '保存');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expectFocus(page, '朝の歌・改を編集');
    const card = cardOf(page, '朝の歌・改');
    await expect.poll(() => card.getByText('非公開').count()).toBe(0);

    await visit(page, '/sounds?search=朝の歌');
    await tabTo(page, 'お気に入り：朝の歌・改');
    await page.keyboard.press('Enter');
    await expect.poll(() => heartOf(page, '朝の歌・改').getAttribute('aria-pressed')).toBe('true');
    await waitForAnswers(page);
    await page.goto('/profile');
    await page.getByRole('tab', { name: 'BGM' }).waitFor();
    await tabTo(page, 'BGM');
    await page.keyboard.press('End');
    await expectFocus(page, 'お気に入り曲');
    await card.waitFor();
    await tabTo(page, '朝の歌・改を再生');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: 'プレーヤー' })
      .getByRole('button', { name: '一時停止' })
      .waitFor();
    await tabTo(page, 'お気に入り：朝の歌・改');
    await page.keyboard.press('Enter');
    await card.locator('..').getByText('お気に入りから外しました').waitFor();
    await tabTo(page, /元に戻す/);
    await page.keyboard.press('Enter');
    await expectFocus(page, 'お気に入り：朝の歌・改');

    await tabTo(page, 'お気に入り曲', 'Shift+Tab');
    await page.keyboard.press('Home');
    await card.getByRole('button', { name: '朝の歌・改を削除' }).waitFor();
    await tabTo(page, '朝の歌・改を削除');
    await page.keyboard.press('Enter');
    await expectFocus(page, '戻る');
    await page.keyboard.press('Enter');
    await expectFocus(page, '朝の歌・改を削除');
    await page.keyboard.press('Enter');
    await expectFocus(page, '戻る');
    await tabTo(page, '削除');
    await page.keyboard.press('Enter');
    await toast(page, 'サウンドが正常に削除されました');
    await expect.poll(() => card.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tabpanel');
    await tabTo(page, 'アップロード');
  });
});

describe('an artist who is blocked', () => {
  it('is logged out, and can then only delete: uploads and edits are refused on every route', async () => {
    const account = await addArtist(site, '止められた人');
    const page = await newPage({ allow });
    await openMySounds(page, account);
    await chooseSounds(page, await writeTone(folder, '最後の曲.mp3', 415));
    await cardOf(page, '最後の曲').waitFor();
    const id = (await cardOf(page, '最後の曲').getAttribute('data-sound')) ?? '';
    const staff = await addMember(site, '止める係', { is_staff: true });
    await runOperator(site, 'members', 'block', account.email, '--as', staff.email);

    // Whatever the page asks for next: the press may come after a question whether the sound is measured.
    const edit = page.getByRole('button', { name: '最後の曲を編集' });
    await Promise.any([page.waitForURL(/\/login/), edit.click().then(() => page.waitForURL(/\/login/))]);

    await openMySounds(page, account);
    const card = cardOf(page, '最後の曲');
    await card.getByRole('button', { name: '最後の曲を削除' }).waitFor();
    expect(await card.getByRole('button', { name: '最後の曲を編集' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'アップロード', exact: true }).count()).toBe(0);
    const change = await call(page, 'PATCH', `/api/sounds/${id}/`, { title: 'past the buttons' });
    expect(change).toEqual({ status: 403, text: expect.stringContaining('制限されている') });
    const upload = await call(page, 'POST', '/api/sounds/', { types: '1', filename: 'a.mp3' });
    expect(upload).toEqual({ status: 403, text: expect.stringContaining('制限されている') });
  });
});

describe('two artists at once', () => {
  it('cannot see each other’s private sounds', async () => {
    const names = ['一人目', '二人目'];
    const pages = await Promise.all(names.map((name) => openSounds(name)));
    await Promise.all(
      pages.map(async (page, index) => {
        await chooseSounds(page, await writeTone(folder, `${names[index]}の秘密.mp3`, 510 + index * 50));
        await cardOf(page, `${names[index]}の秘密`).waitFor();
      }),
    );
    for (const [index, page] of pages.entries()) {
      const own = `${names[index]}の秘密`;
      const [other, owner] = [pages[1 - index], names[1 - index] ?? ''];
      const card = other ? cardOf(other, `${owner}の秘密`) : undefined;
      const id = (await card?.getAttribute('data-sound')) ?? '';
      const file = (await card?.locator('[data-play]').getAttribute('data-play')) ?? '';

      expect(await page.getByRole('tabpanel').getByRole('article').count()).toBe(1);
      const listed = await call(
        page,
        'GET',
        `/api/sounds/?user=${encodeURIComponent(owner)}&include_private=true`,
      );
      expect(listed).toMatchObject({ status: 200, text: expect.stringContaining('"results":[]') });
      const found = await call(page, 'GET', `/api/sounds/?include_private=true&search=の秘密`);
      expect(found.text).not.toContain(id);
      expect((await call(page, 'GET', `/api/sounds/${id}/`)).status).toBe(404);
      expect((await call(page, 'PATCH', `/api/sounds/${id}/`, { title: 'mine' })).status).toBe(404);
      expect((await call(page, 'DELETE', `/api/sounds/${id}/`)).status).toBe(404);
      // Its URL is signed for its artist’s own page. Without the signature the file is not served.
      expect((await page.request.get(file)).status()).toBe(200);
      expect((await page.request.get(new URL(file, site.url).pathname)).status()).toBe(404);
      expect((await page.request.get(`/sounds/${id}`)).status()).toBe(404);
      await page.reload();
      await cardOf(page, own).waitFor();
    }
  });
});
