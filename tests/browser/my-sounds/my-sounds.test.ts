import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeMp3 } from '#demo/encode.ts';
import type { ForeignHost } from '../support/foreign-host.ts';
import { startForeignSite } from '../support/foreign-sites.ts';
import { logIn, logOut, openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import type { Site } from '../support/sites.ts';
import { expectToastInView } from '../support/toasts.ts';

let host: ForeignHost;
let site: Site;
const { newPage } = useBrowser(() => site.url);
/** Calls that only our own host has are 404 here, and browsers log every refused request. */
const allow = /40[014]|Failed to load resource|net::ERR/;
const PASSWORD = 'a long enough one';
const SOUND = Buffer.from(
  encodeMp3(
    Float32Array.from({ length: 44_100 }, (_, at) => 0.2 * Math.sin(at / 20)),
    { title: 'tone', artist: 'somebody', album: 'tones' },
  ),
);

let stop: () => Promise<void>;
beforeAll(async () => {
  ({ host, site, stop } = await startForeignSite());
});
afterAll(() => stop());

/** A new verified artist. */
async function addArtist(name: string) {
  const email = `verified-${name}@example.test`;
  const body = JSON.stringify({ username: name, email, password: PASSWORD });
  await fetch(`${host.origin}/api/account/register/`, { method: 'POST', body });
  const mail = host.mails.findLast(({ to }) => to === email);
  await fetch(`${host.origin}/api/account/verify-email/${mail?.uid}/${mail?.token}/`);
  return { email, password: PASSWORD };
}

/** A new verified artist at the sounds section. */
async function openSounds(name: string): Promise<Page> {
  const page = await openAsMember(newPage({ allow }), await addArtist(name));
  await page.getByRole('tab', { name: 'BGM' }).waitFor();
  return page;
}

const mp3 = (name: string) => ({ name, mimeType: 'audio/mpeg', buffer: SOUND });
const chooseFiles = (page: Page, ...files: ReturnType<typeof mp3>[]) =>
  page.getByLabel('音声ファイル').setInputFiles(files);
const cardOf = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true });
const toast = expectToastInView;

describe('an artist on a host that implements only the spec', () => {
  it('starts with instructions, takes several files, shows each as private, and clears the input', async () => {
    const page = await openSounds('uploader');
    await page.getByText('メディアのアップロードからはじめましょう。').waitFor();
    await page.getByText(/BGMはまだありません/).waitFor();
    const before = host.own.files.length;
    await chooseFiles(page, mp3('静かな雨.mp3'), mp3('long name '.repeat(20) + '.mp3'), mp3('third.MP3'));
    await toast(page, 'サウンドがアップロードされました');
    await expect.poll(() => page.getByRole('tabpanel').getByRole('article').count()).toBe(3);
    expect(await page.getByLabel('音声ファイル').inputValue()).toBe('');
    await expect.poll(() => page.getByRole('list', { name: 'アップロード中のファイル' }).count()).toBe(0);
    const card = cardOf(page, '静かな雨');
    for (const text of ['非公開', 'ダウンロード: 1,234', 'お気に入り: 5'])
      await card.getByText(text).waitFor();
    expect(host.own.files.slice(before).map(({ bytes, type }) => [bytes, type])).toEqual(
      Array.from({ length: 3 }, () => [SOUND.length, 'audio/mpeg']),
    );
    // In one form each: the spec has no pieces.
    expect(host.calls.filter((call) => call.includes('/api/uploads/'))).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  });

  it('accepts files dropped onto the section', async () => {
    const page = await openSounds('dropper');
    const data = await page.evaluateHandle((bytes) => {
      const transfer = new DataTransfer();
      const sound = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      transfer.items.add(new File([sound], 'dropped.mp3', { type: 'audio/mpeg' }));
      return transfer;
    }, SOUND.toString('base64'));
    const section = page.getByRole('region', { name: 'サウンド', exact: true });
    await section.dispatchEvent('dragenter', { dataTransfer: data });
    await page.getByText('ここにドロップしてアップロード').waitFor();
    await section.dispatchEvent('drop', { dataTransfer: data });
    await cardOf(page, 'dropped').waitFor();
    expect(await page.getByText('ここにドロップしてアップロード').count()).toBe(0);
  });

  it('publishes a sound with all that was changed, takes its sub-genres away again, and deletes it', async () => {
    const page = await openSounds('editor');
    await chooseFiles(page, mp3('draft.mp3'));
    const dialog = page.getByRole('dialog', { name: 'サウンドの編集' });
    const stored = () => host.own.sounds.find(({ title }) => title === '完成した曲');
    const save = async () => {
      await dialog.getByRole('button', { name: '保存', exact: true }).click();
      await expect.poll(() => dialog.count()).toBe(0);
    };
    await page.getByRole('button', { name: 'draftを編集' }).click();
    await dialog.getByLabel('タイトル', { exact: true }).fill('  完成した曲  ');
    await dialog.getByLabel('ステータス', { exact: true }).selectOption('公開');
    await dialog.getByLabel('ファイル', { exact: true }).fill('finished.mp3');
    await dialog.getByLabel('AI制作', { exact: true }).selectOption('AI使用');
    await dialog.getByLabel('説明', { exact: true }).fill('一行目\n二行目');
    await dialog.getByRole('button', { name: 'Calm' }).click();
    const picture = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('host decides') };
    await dialog.getByLabel('画像ファイル').setInputFiles(picture);
    await save();
    await expect.poll(() => cardOf(page, '完成した曲').getByText('非公開').count()).toBe(0);
    expect(stored()).toMatchObject({
      filename: 'finished.mp3',
      // Line ends as forms send them.
      description: '一行目\r\n二行目',
      is_published: true,
      is_ai_generated: true,
      sub_genres: [5],
      thumbnail_url: `${host.origin}/pictures/thumbnail.png`,
    });
    await page.getByRole('button', { name: '完成した曲を編集' }).click();
    await dialog.getByRole('button', { name: 'Calm' }).click();
    await save();
    expect(stored()?.sub_genres).toEqual([]);
    await page.getByRole('button', { name: '完成した曲を再生' }).click();
    const player = page.getByRole('region', { name: 'プレーヤー' });
    await player.getByRole('button', { name: '一時停止' }).waitFor();
    await page.getByRole('button', { name: '完成した曲を削除' }).click();
    await page
      .getByRole('dialog', { name: 'ファイルの削除' })
      .getByRole('button', { name: '削除', exact: true })
      .click();
    await toast(page, 'サウンドが正常に削除されました');
    await expect.poll(() => cardOf(page, '完成した曲').count()).toBe(0);
    expect(await player.count()).toBe(0);
    expect(stored()).toBeUndefined();
  });
});

describe('on a host that lets every cache keep every reply', () => {
  beforeAll(() => host.allowCaching());

  it('members see what they have saved and deleted, and nothing of who was there before', async () => {
    const page = await openSounds('first');
    await chooseFiles(page, mp3('short-lived.mp3'));
    await cardOf(page, 'short-lived').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'short-livedを削除' }).click();
    const remove = page.getByRole('dialog', { name: 'ファイルの削除' }).getByRole('button', { name: '削除' });
    await remove.click();
    await toast(page, 'サウンドが正常に削除されました');
    await page.getByRole('button', { name: '自己紹介を編集' }).click();
    await page.getByLabel('自己紹介', { exact: true }).fill('First of all.');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expect.poll(() => page.getByLabel('自己紹介', { exact: true }).count()).toBe(0);
    await page.reload();
    await page.getByText(/BGMはまだありません/).waitFor();
    expect(await page.getByText('First of all.').count()).toBe(1);
    expect(await cardOf(page, 'short-lived').count()).toBe(0);

    await logOut(page);
    await page.waitForURL((url) => url.pathname === '/');
    await logIn(page, await addArtist('second'));
    await page.getByRole('main').getByText('second', { exact: true }).first().waitFor();
    await page.getByText(/BGMはまだありません/).waitFor();
    expect(await page.getByText('First of all.').count()).toBe(0);
  });
});
