import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { writeTone } from '../support/artist-files.ts';
import { addArtist, addSound, chooseSounds, openMySounds } from '../support/artists.ts';
import { expectAccessible } from '../support/axe.ts';
import { tabTo } from '../support/focus.ts';
import { useBrowser, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { site, newPage } = useBrowser(useSite());

const barOf = (page: Page) => page.getByRole('region', { name: '選んだサウンド' });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: '選んだサウンドを変更' });
const fillerOf = (page: Page) => page.getByRole('dialog', { name: 'ファイル名・CSVから入力' });
const boxOf = (page: Page, title: string | RegExp) => page.getByRole('checkbox', { name: title });

/** The page of an artist with public sounds of these titles, the last one first. */
async function openMany(name: string, titles: readonly string[], size = { width: 1440, height: 900 }) {
  const page = await newPage(size);
  const artist = await addArtist(site, name);
  for (const title of titles) await addSound(site, artist, title);
  await openMySounds(page, artist);
  await page.getByRole('link', { name: 'まとめて編集' }).click();
  await boxOf(page, titles[0] ?? '').waitFor();
  return page;
}

/** What the host lists of the member's sounds, by title. */
function readSounds(page: Page, username: string) {
  return page.evaluate(async (user) => {
    const reply = await fetch(`/api/sounds/?user=${encodeURIComponent(user)}&include_private=true`, {
      headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
    });
    const { results } = (await reply.json()) as { results: Record<string, unknown>[] };
    return Object.fromEntries(results.map((sound) => [String(sound['title']), sound]));
  }, username);
}

describe.each([
  { width: 320, height: 700 },
  { width: 1440, height: 900 },
])('by keyboard alone at $width × $height', (size) => {
  it('an artist chooses a range, changes it, and undoes the change', async () => {
    const name = `束の人${size.width}`;
    const page = await openMany(name, ['一', '二', '三', '四'], size);
    await tabTo(page, /^四/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await barOf(page).getByText('2件を選択中').waitFor();
    await tabTo(page, '変更する');
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await tabTo(page, 'Content ID');
    await page.keyboard.press('End');
    await dialogOf(page).getByText('2件のうち2件のContent IDを「登録している」にします。').waitFor();
    await expectAccessible(page, 'dialog[open]', [size.width]);
    await tabTo(page, '2件を変更する');
    await page.keyboard.press('Enter');
    await barOf(page).getByText('2件を変更しました。').waitFor();
    const registered = (sounds: Awaited<ReturnType<typeof readSounds>>) =>
      Object.values(sounds).flatMap(({ title, content_id }) => (content_id === 'registered' ? [title] : []));
    expect(registered(await readSounds(page, name))).toEqual(['三', '二']);
    await tabTo(page, '元に戻す');
    await page.keyboard.press('Enter');
    await barOf(page).getByText('2件を元に戻しました。').waitFor();
    expect(registered(await readSounds(page, name))).toEqual([]);
    await expectAccessible(page, ':root', [size.width]);
  });
});

describe('several sounds at once', () => {
  it('a press with Shift chooses those between, and a sound that changed meanwhile is named', async () => {
    const page = await openMany('束の人', ['朝', '昼', '夕', '夜']);
    await boxOf(page, '夜').click();
    await boxOf(page, '昼').click({ modifiers: ['Shift'] });
    await barOf(page).getByText('3件を選択中').waitFor();
    await withDatabaseOf(site.dataDir, ({ db }) =>
      everyTable(db)
        .updateTable('sounds')
        .set({ updated_at: Date.now() })
        .where('title', '=', '夕')
        .execute(),
    );
    await barOf(page).getByRole('button', { name: '変更する', exact: true }).click();
    await dialogOf(page).getByLabel('ステータス').selectOption('非公開');
    await dialogOf(page).getByRole('button', { name: '3件を変更する' }).click();
    await barOf(page).getByText('2件を変更しました。1件はそのままです。').waitFor();
    // The only one, and not by `allInnerTexts`: the script that Playwright runs for it crashes Firefox ESR 153 here.
    expect(await barOf(page).getByRole('listitem').innerText()).toBe(
      '夕：ほかで変更されたため、そのままにしました。',
    );
    const after = await readSounds(page, '束の人');
    expect(['朝', '昼', '夕', '夜'].map((title) => after[title]?.['is_published'])).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('leaving while they are changed asks first; staying finishes the change', async () => {
    const page = await openMany('離れる人', ['東', '西']);
    const released = Promise.withResolvers<void>();
    await page.route('**/api/sounds/changes/', async (route) => {
      await released.promise;
      await route.continue();
    });
    const questions: string[] = [];
    const answers = ['dismiss', 'accept'] as const;
    page.on('dialog', (dialog) => {
      const answer = answers[questions.push(dialog.type()) - 1] ?? 'dismiss';
      void dialog[answer]();
    });
    const changeBoth = async (status: string) => {
      await barOf(page).getByRole('button', { name: '変更する', exact: true }).click();
      await dialogOf(page).getByLabel('ステータス').selectOption(status);
      await dialogOf(page).getByRole('button', { name: '2件を変更する' }).click();
      await dialogOf(page).waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: '表示中の2件をすべて選ぶ' }).click();
    await changeBoth('非公開');
    await page.getByRole('link', { name: 'プロフィールに戻る' }).click();
    await expect.poll(() => questions).toEqual(['beforeunload']);
    expect(new URL(page.url()).pathname).toBe('/profile/sounds');
    released.resolve();
    await barOf(page).getByText('2件を変更しました。').waitFor();
    const sounds = await readSounds(page, '離れる人');
    expect(Object.values(sounds).map((sound) => sound['is_published'])).toEqual([false, false]);

    await page.unroute('**/api/sounds/changes/');
    await page.route('**/api/sounds/changes/', () => undefined);
    await changeBoth('公開');
    await page.getByRole('link', { name: 'プロフィールに戻る' }).click();
    await page.waitForURL('**/profile');
    expect(questions).toEqual(['beforeunload', 'beforeunload']);
  });

  it('the chosen ones are deleted after one question', async () => {
    const page = await openMany('消す人', ['甲', '乙', '丙']);
    await boxOf(page, '甲').click();
    await boxOf(page, '丙').click();
    await barOf(page).getByRole('button', { name: '削除' }).click();
    const dialog = page.getByRole('dialog', { name: 'ファイルの削除' });
    await dialog.getByText('2件：丙、甲').waitFor();
    await dialog.getByRole('button', { name: '削除' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(1);
    await waitForAnswers(page);
    expect(Object.keys(await readSounds(page, '消す人'))).toEqual(['乙']);
  });

  it('files that are being uploaded get titles and sub-genres from their names, and are chosen sounds then', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'many-sounds-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const page = await openMany('送る人', ['前からある曲']);
    const released = Promise.withResolvers<void>();
    await page.route('**/api/sounds/', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.getByRole('tab', { name: 'BGM' }).click();
    await chooseSounds(page, [
      await writeTone(folder, '01_朝の庭_明るい.mp3', 300),
      await writeTone(folder, '02_夜の庭_切ない.mp3', 400),
    ]);
    for (const name of ['01_朝の庭', '02_夜の庭']) await boxOf(page, name).click();
    await barOf(page).getByRole('button', { name: '名前・CSVから入力' }).click();
    const names = fillerOf(page);
    // Not by `allInnerTexts`: the script that Playwright runs for it crashes Firefox ESR 153 here.
    expect((await names.getByRole('table').innerText()).split('\n')).toEqual([
      'ファイル名\tタイトル\tサブジャンル\t説明',
      '01_朝の庭_明るい.mp3\t朝の庭\t明るい\t–',
      '02_夜の庭_切ない.mp3\t夜の庭\t切ない\t–',
    ]);
    await expectAccessible(page, 'dialog[open]', [320, 1440]);
    await names.getByLabel('ファイル名の形').fill('{題名');
    await names.getByText('「{」と「}」で囲んだ項目を使ってください。').waitFor();
    await names.getByLabel('ファイル名の形').fill('{番号}_{題名}_{サブジャンル}');
    await names.getByRole('button', { name: '2件に入力する' }).click();
    await barOf(page).getByText('2件を変更しました。').waitFor();
    released.resolve();
    await boxOf(page, /^夜の庭\s*BGM・非公開・切ない/).waitFor();
    await barOf(page).getByText('2件を選択中').waitFor();
    const sounds = await readSounds(page, '送る人');
    expect(Object.keys(sounds).toSorted()).toEqual(['前からある曲', '夜の庭', '朝の庭'].toSorted());
  });

  it('a table fills the sounds that it names, and its wrong lines are named', async () => {
    const page = await openMany('表の人', ['赤', '青']);
    await page.getByRole('button', { name: '表示中の2件をすべて選ぶ' }).click();
    await barOf(page).getByRole('button', { name: '名前・CSVから入力' }).click();
    const dialog = fillerOf(page);
    await dialog.getByRole('button', { name: 'CSVから' }).click();
    const filename = String((await readSounds(page, '表の人'))['赤']?.['filename']);
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'CSVファイルを選ぶ' }).click();
    const table = `ファイル名,タイトル,説明\n${filename},"春, 夏",暖かい\nない.mp3,秋,`;
    await (await chooser).setFiles({ name: '表.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await dialog.getByText('3行目：選んだ中に「ない.mp3」というファイルはありません。').waitFor();
    await expectAccessible(page, 'dialog[open]', [320, 1440]);
    await dialog.getByRole('button', { name: '1件に入力する' }).click();
    await barOf(page).getByText('1件を変更しました。').waitFor();
    expect((await readSounds(page, '表の人'))['春, 夏']?.['description']).toBe('暖かい');
  });
});
