import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { addCertificate, addUse } from '#support/members/uses.ts';
import { addArtist, addSound } from '../support/artists.ts';
import { expectAccessible } from '../support/axe.ts';
import { ARTIST_EMAIL, LONG_TITLE, MARKUP_TITLE, MEMBER } from '../support/catalogue.ts';
import { useConsole } from '../support/console.ts';
import { expectFocus, tabTo } from '../support/focus.ts';
import { openAsMember } from '../support/members.ts';
import { closeAlert, pressDownload } from '../support/notices.ts';
import { visit, waitForAnswers } from '../support/pages.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const SOUND = '最新の戦闘音';
const ARTIST = { ...MEMBER, email: ARTIST_EMAIL };

const { site, open, newPage, openConsole } = useConsole({ RATE_LIMITS: 'off', AD_PROVIDERS: 'none' });

let artists = 0;
/** A new artist with a sound, and uses of it that wait, the newest last. */
async function addUses(titles: readonly string[], more: Parameters<typeof addUse>[2] = {}) {
  artists += 1;
  const name = `使われる人${artists}`;
  const account = await addArtist(site, name);
  const sound = await addSound(site, account, LONG_TITLE);
  await withDatabaseOf(site.dataDir, async (database) => {
    const certificateId = await addCertificate(database, sound);
    for (const [index, title] of titles.entries()) {
      const atMs = Date.now() - 1_000 + index;
      await addUse(database, sound, { certificateId, title, atMs, ...more });
    }
  });
  return { name, account, sound };
}

const press = async (page: Page, name: string | RegExp) => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

/** A heading that takes the focus of what is gone is not marked. */
const expectFocusOnTitle = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('uses-title');

describe('a work in which a sound was used', () => {
  it.each([320, 1440])('is told, confirmed, shown and hidden by keys at %i px', async (width) => {
    const title = `週末の旅 ${width}`;
    const address = `https://xn--r8jz45g.example.com/${width}`;
    const page = await open(`/sounds?search=${encodeURIComponent(SOUND)}`, {
      width,
      height: 900,
      allow: /409/,
    });
    const arrival = page.waitForEvent('download');
    await pressDownload(page, SOUND);
    await closeAlert(page);
    await arrival;
    const link = page.getByRole('link', { name: '使った作品を知らせる' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '使用報告', level: 1 }).waitFor();
    await waitForAnswers(page);
    await expectAccessible(page);
    await tabTo(page, /^作品のURL/);
    await page.keyboard.type('javascript:alert(1)');
    await page.keyboard.press('Tab');
    await page.keyboard.type(title);
    await press(page, 'アーティストに知らせる');
    await page.getByText('作品のページのURLを、', { exact: false }).waitFor();
    await expectFocus(page, /^作品のURL/);
    await expectAccessible(page);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`例え.example.com/${width}`);
    await tabTo(page, /^アーティストへのひとこと/);
    await page.keyboard.type('ありがとう');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: '使用報告をお送りしました' }).waitFor();
    await expectAccessible(page);
    await press(page, '利用証明書に戻る');
    await page.getByRole('heading', { name: '利用証明書', level: 1 }).waitFor();
    await waitForAnswers(page);
    await expectAccessible(page);

    const own = await openAsMember(newPage({ width, height: 900 }), ARTIST);
    await own.getByRole('link', { name: '使用報告を見る' }).focus();
    await own.keyboard.press('Enter');
    await own.getByText('ありがとう').waitFor();
    await expectAccessible(own);
    await press(own, `「${title}」を公開する`);
    await own.getByText('公開しました').first().waitFor();
    await expectFocusOnTitle(own);
    await own.getByText('確認を待っている使用報告はありません。').waitFor();

    const requests: string[] = [];
    const plain = await newPage({ width, height: 900, javaScriptEnabled: false });
    plain.on('request', (request) => requests.push(request.url()));
    const shown = plain.getByRole('link', { name: title });
    for (const path of [await findSoundPath(), `/artist/${encodeURIComponent('音の人')}`]) {
      await plain.goto(path);
      expect(await shown.getAttribute('href')).toBe(address);
      expect(await shown.getAttribute('rel')).toBe('nofollow ugc noopener noreferrer');
      expect(await plain.getByText('xn--r8jz45g.example.com').first().isVisible()).toBe(true);
      const section = plain.locator('#uses');
      expect(await section.locator('img, iframe, script').count()).toBe(0);
    }
    expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([]);

    await own.getByRole('button', { name: '公開中', exact: true }).focus();
    await own.keyboard.press('Enter');
    await own.getByRole('link', { name: title }).waitFor();
    await press(own, `「${title}」を非表示にする`);
    await own.getByText('公開している使用作品はありません。').waitFor();
    await plain.reload();
    expect(await shown.count()).toBe(0);
  });

  it('keeps what was typed when the host refuses it', async () => {
    const { sound } = await addUses([]);
    const id = await withDatabaseOf(site.dataDir, (database) => addCertificate(database, sound));
    const tell = async (address: string) => {
      await visit(page, `/certificates/${id}/use`);
      await page.getByLabel('作品のURL').fill(address);
      await page.getByLabel('作品名').fill('同じ作品');
      await page.getByRole('button', { name: 'アーティストに知らせる' }).click();
    };
    const page = await newPage({ allow: /409/ });
    await tell('https://video.example.com/1');
    await page.getByRole('heading', { name: '使用報告をお送りしました' }).waitFor();
    await tell('https://video.example.com/1');
    await page.getByText('このURLは、すでに報告されています。').first().waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('作品名').inputValue()).toBe('同じ作品');
  });

  it('is shown as text, however long or strange it is, at every width', async () => {
    const { name, account, sound } = await addUses([MARKUP_TITLE, 'あ'.repeat(100), 'W'.repeat(100)], {
      state: 'confirmed',
    });
    const page = await newPage();
    for (const path of [`/sounds/${sound}`, `/artist/${encodeURIComponent(name)}`]) {
      await visit(page, path);
      await page.getByRole('link', { name: MARKUP_TITLE }).waitFor();
      await expectAccessible(page);
    }
    await openAsMember(page, account, '/profile/uses');
    await page.getByRole('button', { name: '公開中', exact: true }).click();
    await page.getByRole('link', { name: MARKUP_TITLE }).waitFor();
    await expectAccessible(page);
  });

  it('is hidden with all others, and the weekly mail is turned on', async () => {
    const { account } = await addUses(['一', '二', '三']);
    const page = await openAsMember(newPage(), account, '/profile/uses');
    await page.getByRole('link', { name: '一' }).waitFor();
    const mails = page.getByRole('checkbox', { name: /週に1回までメール/ });
    await mails.check();
    await page.getByText('週1回のメールをお送りします').first().waitFor();
    await page.getByRole('button', { name: '表示中の3件をすべて非表示にする' }).click();
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: '非表示にする' }).click();
    await page.getByText('確認を待っている使用報告はありません。').waitFor();
    await expectFocusOnTitle(page);
    await page.reload();
    await expect.poll(() => mails.isChecked()).toBe(true);
  });

  it('is reported by the artist, and deleted by the staff', async () => {
    const { account, sound } = await addUses(['悪い作品', '良い作品'], { message: '嫌なことば' });
    const own = await openAsMember(newPage(), account, '/profile/uses');
    await own.getByRole('button', { name: '「悪い作品」を運営に報告する' }).click();
    await own.getByRole('alertdialog').getByRole('button', { name: '報告する' }).click();
    await own.getByText('運営に報告しました').first().waitFor();
    await expect.poll(() => own.evaluate(() => document.activeElement?.textContent)).toMatch(/^良い作品/);

    const desk = await openConsole('/operator');
    await desk.getByRole('link', { name: '報告された使用作品' }).click();
    const list = desk.getByRole('region', { name: '報告された使用作品' });
    await list.getByText('嫌なことば').waitFor();
    await expectAccessible(desk);
    await list.getByRole('button', { name: '「悪い作品」：削除する' }).click();
    await desk.getByRole('dialog').getByRole('textbox').fill('規約違反です。');
    await expectAccessible(desk);
    await desk.getByRole('dialog').getByRole('button', { name: '削除する' }).click();
    await list.waitFor({ state: 'hidden' });

    await desk.goto(`/operator/sounds?id=${sound}`);
    const ofSound = desk.getByRole('region', { name: '使用作品', exact: true });
    await ofSound.getByText('良い作品').waitFor();
    expect(await ofSound.getByText('嫌なことば').count()).toBe(0);
    await desk.getByText('使用報告：削除').first().waitFor();
    await expectAccessible(desk);
    await waitForAnswers(desk);
  });

  it('has no page for visitors, and none without a certificate', async () => {
    const page = await newPage({ allow: /404/ });
    await page.goto('/profile/uses');
    await page.waitForURL(/\/login\?redirect=/);
    expect((await page.goto(`/certificates/${'A'.repeat(22)}/use`))?.status()).toBe(404);
  });
});

function findSoundPath(): Promise<string> {
  return withDatabaseOf(site.dataDir, async ({ db }) => {
    const { id } = await everyTable(db)
      .selectFrom('sounds')
      .select('id')
      .where('title', '=', SOUND)
      .executeTakeFirstOrThrow();
    return `/sounds/${id}`;
  });
}
