import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeMp3 } from '#demo/encode.ts';
import type { ForeignHost } from '../support/foreign-host.ts';
import { startForeignSite } from '../support/foreign-sites.ts';
import { heartOf, openAsMember } from '../support/members.ts';
import { useBrowser, visit, waitForAnswers } from '../support/pages.ts';
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

/** A new verified artist at the sounds section. */
async function openSounds(name: string, options = {}): Promise<Page> {
  const email = `verified-${name}@example.test`;
  const body = JSON.stringify({ username: name, email, password: PASSWORD });
  await fetch(`${host.origin}/api/account/register/`, { method: 'POST', body });
  const mail = host.mails.findLast(({ to }) => to === email);
  await fetch(`${host.origin}/api/account/verify-email/${mail?.uid}/${mail?.token}/`);
  const page = await newPage({ allow, ...options });
  await openAsMember(page, { email, password: PASSWORD });
  await page.getByRole('tab', { name: 'BGM' }).waitFor();
  return page;
}

const mp3 = (name: string) => ({ name, mimeType: 'audio/mpeg', buffer: SOUND });
const chooseFiles = (page: Page, ...files: ReturnType<typeof mp3>[]) =>
  page.getByLabel('音声ファイル').setInputFiles(files);
const cardOf = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true });
const panel = (page: Page) => page.getByRole('tabpanel');
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );
const toast = expectToastInView;

async function openWith(name: string, ...titles: string[]): Promise<Page> {
  const page = await openSounds(name);
  await chooseFiles(page, ...titles.map((title) => mp3(`${title}.mp3`)));
  for (const title of titles) await cardOf(page, title).waitFor();
  return page;
}

describe('uploading', () => {
  it('starts with instructions, takes several files, shows each as private, and clears the input', async () => {
    const page = await openSounds('uploader');
    await page.getByText('メディアのアップロードからはじめましょう。').waitFor();
    await page.getByText(/BGMはまだありません/).waitFor();
    await chooseFiles(page, mp3('静かな雨.mp3'), mp3('long name '.repeat(20) + '.mp3'), mp3('third.MP3'));
    await toast(page, 'サウンドがアップロードされました');
    await expect.poll(() => panel(page).getByRole('article').count()).toBe(3);
    expect(await page.getByLabel('音声ファイル').inputValue()).toBe('');
    await expect.poll(() => page.getByRole('list', { name: 'アップロード中のファイル' }).count()).toBe(0);
    const card = cardOf(page, '静かな雨');
    for (const text of ['非公開', 'ダウンロード: 1,234', 'お気に入り: 5'])
      await card.getByText(text).waitFor();
    expect(host.own.files.map(({ bytes, type }) => [bytes, type])).toEqual(
      Array.from({ length: 3 }, () => [SOUND.length, 'audio/mpeg']),
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  });

  it('is not offered to blocked artists (spec §6)', async () => {
    const page = await openSounds('blocked');
    await page.getByText('BGMはまだありません。現在、新しいサウンドは追加できません。').waitFor();
    expect(await page.getByText('メディアのアップロードからはじめましょう。').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'アップロード', exact: true }).count()).toBe(0);
  });

  it('rejects files other than MP3 and M4A with the alert, and sends the others', async () => {
    const page = await openSounds('chooser');
    await chooseFiles(page, { ...mp3('tone.wav'), mimeType: 'audio/wav' });
    const alert = page.getByRole('alertdialog');
    await alert.getByText('Error: Please upload a valid .mp3 or .m4a file.', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => alert.count()).toBe(0);
    await chooseFiles(page, { ...mp3('setup.exe'), mimeType: 'audio/mpeg' }, mp3('good.mp3'));
    await alert.getByText('setup.exe').waitFor();
    await page.keyboard.press('Enter');
    await cardOf(page, 'good').waitFor();
  });

  it('keeps a refused file with the reason, and resends it without choosing it again', async () => {
    const page = await openSounds('retrier');
    await chooseFiles(page, mp3('refuse.mp3'), {
      ...mp3('program.mp3'),
      buffer: Buffer.from('MZ not a sound'.repeat(99)),
    });
    await page.getByText('There is no room just now.').waitFor();
    await page.getByText(/音声として再生できませんでした/).waitFor();
    await page.getByRole('button', { name: 'refuse.mp3を再試行' }).click();
    await cardOf(page, 'refuse').waitFor();
    await page.getByRole('button', { name: 'program.mp3を一覧から消す' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'アップロード中のファイル' }).count()).toBe(0);
  });

  it('shows that it is busy, asks before the page is left, and stops when cancelled', async () => {
    const page = await openSounds('leaver');
    await chooseFiles(page, mp3('slow.mp3'));
    await page.getByRole('button', { name: 'Uploading..' }).waitFor();
    await page.getByText(/仕上げています/).waitFor();
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked += 1;
      expect(dialog.type()).toBe('beforeunload');
      void dialog.dismiss();
    });
    await page.getByRole('contentinfo').getByRole('link').first().click();
    await expect.poll(() => asked).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/profile');
    await page.getByRole('button', { name: 'slow.mp3のアップロードをキャンセル' }).click();
    await page.getByRole('button', { name: 'アップロード', exact: true }).waitFor();
    await page.getByRole('contentinfo').getByRole('link').first().click();
    await page.waitForURL((url) => url.pathname !== '/profile');
    expect(asked).toBe(1);
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
});

describe('the tabs', () => {
  it('are chosen by arrow keys, and each reloads its own list', async () => {
    const page = await openWith('tabber', 'in the first');
    await page.getByRole('tab', { name: 'BGM' }).focus();
    const made = host.calls.length;
    await page.keyboard.press('ArrowRight');
    await page.getByText(/SFXはまだありません/).waitFor();
    expect(await page.getByRole('tab', { name: 'SFX' }).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await page.getByText(/お気に入りはまだありません/).waitFor();
    expect(await page.getByText('メディアのアップロードからはじめましょう。').count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await cardOf(page, 'in the first').waitFor();
    expect(await focused(page)).toBe('BGM');
    expect(host.calls.slice(made).filter((call) => call.startsWith('GET /api/sounds/?'))).toHaveLength(3);
  });
});

describe('an own sound', () => {
  it('can be edited in every row by keyboard alone, and published', async () => {
    const page = await openWith('editor', 'draft');
    const dialog = page.getByRole('dialog', { name: 'サウンドの編集' });
    await page.getByRole('button', { name: 'draftを編集' }).press('Enter');
    const save = dialog.getByRole('button', { name: '保存', exact: true });
    expect(await save.isDisabled()).toBe(true);
    // A single row: the dialog stays open.
    await dialog.getByLabel('タイトル', { exact: true }).fill('  完成した曲  ');
    await dialog.getByRole('button', { name: 'タイトルを保存' }).press('Enter');
    await toast(page, 'Sound updated successfully');
    await dialog.getByText('保存しました').waitFor();
    expect(await focused(page)).toBe('タイトルを保存');
    await cardOf(page, '完成した曲').waitFor({ state: 'attached' });
    expect(host.own.sounds.find(({ title }) => title === '完成した曲')?.is_published).toBe(false);

    await dialog.getByLabel('ステータス', { exact: true }).focus();
    await page.keyboard.press('ArrowUp');
    await dialog.getByLabel('ファイル', { exact: true }).fill('finished.mp3');
    await dialog.getByLabel('AI制作', { exact: true }).selectOption('AI使用');
    await dialog.getByLabel('説明', { exact: true }).fill('一行目\n二行目');
    await dialog.getByRole('button', { name: 'Calm' }).press(' ');
    expect(await dialog.getByRole('button', { name: 'Calm' }).getAttribute('aria-pressed')).toBe('true');
    const picture = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('host decides') };
    await dialog.getByLabel('画像ファイル').setInputFiles(picture);
    await save.press('Enter');
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => cardOf(page, '完成した曲').getByText('非公開').count()).toBe(0);
    expect(host.own.sounds.find(({ title }) => title === '完成した曲')).toMatchObject({
      filename: 'finished.mp3',
      // Line ends as forms send them.
      description: '一行目\r\n二行目',
      is_published: true,
      is_ai_generated: true,
      sub_genres: [5],
      thumbnail_url: `${host.origin}/pictures/thumbnail.png`,
    });
    await expect.poll(() => focused(page)).toBe('完成した曲を編集');
    // All chips off again.
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Calm' }).click();
    await save.click();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(host.own.sounds.find(({ title }) => title === '完成した曲')?.sub_genres).toEqual([]);
  });

  it('shows each key of a refusal and keeps the typed values; closing asks first', async () => {
    const page = await openWith('refused', 'tune');
    await page.getByRole('button', { name: 'tuneを編集' }).click();
    const dialog = page.getByRole('dialog', { name: 'サウンドの編集' });
    const title = dialog.getByLabel('タイトル', { exact: true });
    await title.fill('refuse');
    await dialog.getByRole('button', { name: '保存', exact: true }).click();
    await toast(page, 'title: Not this one.');
    await toast(page, 'detail: Try another.');
    expect(await title.inputValue()).toBe('refuse');
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    const question = page.getByRole('alertdialog', { name: '保存していない変更があります' });
    await title.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => question.count()).toBe(0);
    expect(await title.inputValue()).toBe('refuse');
    await dialog.getByRole('button', { name: '閉じる' }).click();
    await question.getByRole('button', { name: '変更を破棄する' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'tuneを編集' }).click();
    expect(await title.inputValue()).toBe('tune');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('is deleted permanently after a question, and can be played from its card until then', async () => {
    const page = await openWith('deleter', 'goes', 'stays');
    await page.getByRole('button', { name: 'goesを再生' }).click();
    const player = page.getByRole('region', { name: 'プレーヤー' });
    await player.getByRole('button', { name: '一時停止' }).waitFor();
    const ask = page.getByRole('button', { name: 'goesを削除' });
    const dialog = page.getByRole('dialog', { name: 'ファイルの削除' });
    await ask.press('Enter');
    await dialog.getByText(/完全に削除されます/).waitFor();
    await dialog.getByRole('button', { name: '戻る' }).click();
    await expect.poll(() => focused(page)).toBe('goesを削除');
    await ask.press('Enter');
    await dialog.getByRole('button', { name: '削除', exact: true }).click();
    await toast(page, 'サウンドが正常に削除されました');
    await expect.poll(() => cardOf(page, 'goes').count()).toBe(0);
    await cardOf(page, 'stays').waitFor();
    expect(await player.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tabpanel');
    expect(host.own.sounds.some(({ title }) => title === 'goes')).toBe(false);
  });
});

describe('the favourites tab', () => {
  it('plays its sounds as the queue, continues, and offers to undo a removal', async () => {
    const page = await openSounds('listener');
    await visit(page, '/sounds');
    await page.getByRole('link', { name: 'もっと見る' }).click();
    await expect.poll(() => page.locator('[data-sound]').count()).toBe(25);
    const toggles = () => host.calls.filter((call) => call.endsWith('/toggle-favorite')).length;
    const before = toggles();
    for (let id = 1; id <= 22; id += 1) await heartOf(page, `Tone ${id}`).click();
    await expect.poll(() => toggles() - before).toBe(22);
    await page.goto('/profile');
    await page.getByRole('tab', { name: 'お気に入り曲' }).click();
    await expect.poll(() => panel(page).getByRole('article').count()).toBe(20);
    expect(await heartOf(page, 'Tone 1').getAttribute('aria-pressed')).toBe('true');

    await heartOf(page, 'Tone 2').click();
    await page.getByRole('button', { name: 'Tone 2をお気に入りに元に戻す' }).click();
    await expect.poll(() => heartOf(page, 'Tone 2').getAttribute('aria-pressed')).toBe('true');
    await heartOf(page, 'Tone 3').click();
    await page.getByRole('button', { name: 'Tone 3をお気に入りに元に戻す' }).waitFor();
    await waitForAnswers(page);
    await page.getByRole('button', { name: 'もっと見る' }).click();
    await expect.poll(() => panel(page).getByRole('article').count()).toBe(22);

    await page.getByRole('button', { name: 'Tone 1を再生' }).click();
    const player = page.getByRole('region', { name: 'プレーヤー' });
    await player.getByRole('button', { name: '一時停止' }).waitFor();
    const queue = await page.evaluate(
      () => (JSON.parse(localStorage.getItem('player:queue') ?? '[]') as unknown[]).length,
    );
    expect(queue).toBe(22);

    await page.getByRole('tab', { name: 'BGM' }).click();
    await page.getByRole('tab', { name: 'お気に入り曲' }).click();
    await cardOf(page, 'Tone 1').waitFor();
    expect(await cardOf(page, 'Tone 3').count()).toBe(0);
  });
});
