import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOutbox } from '../../support/mails.ts';
import { CHOSEN, TITLES, writeChosen, writePicture, writeTone } from '../support/artist-files.ts';
import { addArtist, cardOf, chooseSounds, openMySounds, queueOf, toast } from '../support/artists.ts';
import { MEMBER, PAYEE_EMAIL } from '../support/catalogue.ts';
import { type Account, heartOf, logIn } from '../support/members.ts';
import { useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { findApplication, runOperator } from '../support/staff.ts';

const site = useSite();
let folder: string;
const { newPage } = useBrowser(() => site.url);
/** Browsers log every refused request to the console. */
const allow = /status of 40[0349]/;
const REASON = '2曲目に雑音が入っています。取り除いて、もう一度お送りください。';
/** Applies first, and owns the data of the later steps. */
const ARTIST = MEMBER;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artist-journey-'));
  await runOperator(site, 'members', 'make-staff', PAYEE_EMAIL);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const decide = (...args: string[]) => runOperator(site, 'quality-checks', ...args, '--as', PAYEE_EMAIL);

/** Waits until the newest mail to an address contains a text. */
const mailed = (to: string, text: string) =>
  expect
    .poll(async () => {
      const mails = await readOutbox(join(site.dataDir, 'outbox')).catch(() => []);
      return mails.findLast((mail) => mail.header('To').includes(to))?.text ?? '';
    })
    .toContain(text);

async function applyForCheck(page: Page, songs: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: '申請する' }).click();
  const dialog = page.getByRole('dialog', { name: 'クオリティチェックの申請' });
  for (const [index, song] of songs.entries()) {
    await dialog.getByLabel(`${index + 1}曲目`).setInputFiles(song);
  }
  await dialog.getByRole('checkbox', { name: 'BGM' }).check();
  await dialog.getByRole('checkbox', { name: '会員規約' }).check();
  await dialog.getByRole('button', { name: '申請する' }).click();
  await page.getByText('申請を受け付けました').waitFor();
}

async function openSounds(account: Account): Promise<Page> {
  const page = await newPage({ allow });
  await openMySounds(page, account);
  return page;
}

const editorOf = (page: Page) => page.getByRole('dialog', { name: 'サウンドの編集' });

describe('an artist', () => {
  it('applies, is rejected with a reason and a mail, applies again, is approved and may upload', async () => {
    const songs = await Promise.all(
      [262, 294, 330].map((hertz) => writeTone(folder, `応募 ${hertz}.mp3`, hertz)),
    );
    const page = await newPage({ allow });
    await logIn(page, ARTIST);
    await applyForCheck(page, songs);

    await decide('reject', await findApplication(site, ARTIST.email), '--reason', REASON);
    await mailed(ARTIST.email, REASON);
    await page.reload();
    await page.getByText(REASON).waitFor();
    expect(await page.getByRole('tab', { name: 'BGM' }).count()).toBe(0);

    await applyForCheck(page, songs);
    await decide('approve', await findApplication(site, ARTIST.email));
    await mailed(ARTIST.email, '承認されました');
    await page.reload();
    await page.getByText('メディアのアップロードからはじめましょう。').waitFor();
    await page.getByText('合格しています。').waitFor();
    expect(await page.getByRole('button', { name: '申請する' }).count()).toBe(0);
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['BGM', '効果音', 'お気に入り曲']);
  });

  it('U2: chooses ten files at once; each row shows its result, and the valid ones are listed', async () => {
    const page = await openSounds(ARTIST);
    await chooseSounds(page, await writeChosen(join(folder, 'chosen')));
    const queue = queueOf(page);
    const row = (name: string) => queue.getByRole('listitem').filter({ hasText: name });
    const failing = Object.entries(CHOSEN).filter(([, each]) => 'problem' in each);
    await expect
      .poll(
        async () => [await queue.getByRole('listitem').count(), await queue.locator('.form-error').count()],
        {
          timeout: 30_000,
        },
      )
      .toEqual([failing.length, failing.length]);
    for (const [name, each] of failing) {
      if ('problem' in each) expect(await row(name).innerText()).toMatch(each.problem);
    }
    const cards = page.getByRole('tabpanel').getByRole('article');
    await expect.poll(() => cards.count()).toBe(TITLES.length);
    for (const title of TITLES) {
      // One at a time, because a card is named by its title.
      expect(await cardOf(page, title).getByText('非公開').count(), title).toBe(1);
    }
    for (const [name] of failing) await queue.getByRole('button', { name: `${name}を一覧から消す` }).click();
    await expect.poll(() => queue.count()).toBe(0);

    await page.reload();
    await expect.poll(() => cards.count()).toBe(TITLES.length);
    const visitor = await newPage({ allow });
    await visit(visitor, '/sounds?search=moonlight');
    await visitor.getByText('条件に合うサウンドが見つかりませんでした').waitFor();
  });

  it('edits every row, publishes, is found and favourited, and removes the sound for everyone', async () => {
    const page = await openSounds(ARTIST);
    await page.getByRole('button', { name: 'moonlightを編集' }).click();
    const editor = editorOf(page);
    const saveRow = async (label: string) => {
      await editor.getByRole('button', { name: `${label}を保存` }).click();
      await expect.poll(() => editor.getByText('保存しました').count()).toBe(1);
    };
    await editor.getByLabel('タイトル', { exact: true }).fill('月の光のワルツ');
    await saveRow('タイトル');
    await editor.getByLabel('説明', { exact: true }).fill('一行目\n二行目 & <b>太字</b>');
    await saveRow('説明');
    await editor.getByLabel('ファイル', { exact: true }).fill('tsuki.m4a');
    await saveRow('ファイル');
    await editor.getByLabel('AI制作', { exact: true }).selectOption('AI使用');
    await saveRow('AI制作');
    // A mood has the same name.
    await editor.getByRole('group', { name: 'ムード' }).getByRole('button', { name: '切ない' }).click();
    await editor.getByRole('button', { name: '日常' }).click();
    const chooser = page.waitForEvent('filechooser');
    await editor.getByRole('button', { name: 'サムネイルの画像を選ぶ' }).click();
    await (await chooser).setFiles(await writePicture(folder));
    await editor.getByAltText('選んだ画像').waitFor();
    await editor.getByLabel('ステータス', { exact: true }).selectOption('公開');
    await editor.getByRole('button', { name: '保存', exact: true }).click();
    await expect.poll(() => editor.count()).toBe(0);
    const card = cardOf(page, '月の光のワルツ');
    await expect.poll(() => card.getByText('非公開').count()).toBe(0);

    const visitor = await newPage({ allow });
    await visit(visitor, '/sounds');
    await visitor.getByRole('searchbox', { name: 'サウンドを検索' }).fill('月の光');
    await cardOf(visitor, '月の光のワルツ').getByRole('link', { name: '月の光のワルツ' }).click();
    await visitor.waitForURL(/\/sounds\/[\w-]+$/);
    await visitor.getByRole('heading', { level: 1, name: '月の光のワルツ' }).waitFor();
    await visitor.getByText('二行目 & <b>太字</b>').waitFor();
    for (const text of ['切ない', '日常']) await visitor.getByText(text).first().waitFor();
    const address = visitor.url();
    const media = await visitor.evaluate(() => [
      document.querySelector<HTMLElement>('main [data-play]')?.dataset['play'] ?? '',
      document.querySelector<HTMLImageElement>('main img[data-thumbnail]')?.src ?? '',
    ]);
    for (const url of media) expect((await visitor.request.get(url)).status(), url).toBe(200);

    const fan = await newPage({ allow });
    await logIn(fan, await addArtist(site, '聴き手'));
    await visit(fan, address);
    await heartOf(fan, '月の光のワルツ').click();
    await expect.poll(() => heartOf(fan, '月の光のワルツ').getAttribute('aria-pressed')).toBe('true');
    await waitForAnswers(fan);
    await fan.goto('/profile');
    await fan.getByRole('tab', { name: 'お気に入り曲' }).click();
    await fan.getByRole('button', { name: '月の光のワルツを再生' }).click();
    const player = fan.getByRole('region', { name: 'プレーヤー' });
    await player.getByRole('link', { name: '月の光のワルツ' }).waitFor();

    await page.reload();
    await card.getByText('お気に入り: 1').waitFor();
    await card.getByRole('button', { name: '月の光のワルツを削除' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '削除', exact: true }).click();
    await toast(page, 'サウンドが正常に削除されました');
    await expect.poll(() => card.count()).toBe(0);

    // Recent visitors may see the page from their own cache for 30 s (spec §9). No one else may.
    const late = await newPage({ allow });
    expect((await late.goto(address))?.status()).toBe(404);
    await visit(late, '/sounds?search=月の光');
    await late.getByText('条件に合うサウンドが見つかりませんでした').waitFor();
    // Its picture stays until it is erased; nobody can guess the address.
    expect((await late.request.get(media[0] ?? '')).status()).toBe(404);
    await fan.reload();
    await fan.getByRole('tab', { name: 'お気に入り曲' }).click();
    await fan.getByText(/お気に入りはまだありません/).waitFor();
  });
});
