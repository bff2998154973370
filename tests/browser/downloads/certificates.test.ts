import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { DEFAULT_LICENCE } from '#contract/downloads/licence.ts';
import { describe, expect, it } from 'vitest';
import { WIDTHS, expectAccessible } from '../support/axe.ts';
import { LONG_TITLE, MEMBER } from '../support/catalogue.ts';
import { openAsMember } from '../support/members.ts';
import { closeAlert, pressDownload } from '../support/notices.ts';
import { type OpenOptions, useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import { useOwnSite } from '../support/sites.ts';

const TITLE = '最新の戦闘音';

const { site, newPage } = useBrowser(useOwnSite({ RATE_LIMITS: 'off', AD_PROVIDERS: 'none' }));

/** Downloads a sound and follows the link to its certificate; returns the file. */
async function earn(page: Page, title = TITLE): Promise<Buffer> {
  await visit(page, `/sounds?search=${encodeURIComponent(title)}`);
  const arrival = page.waitForEvent('download');
  await pressDownload(page, title);
  await closeAlert(page);
  const file = await readFile(await (await arrival).path());
  await page
    .getByRole('region', { name: /ダウンロードを始めました/ })
    .getByRole('link', { name: '利用証明書' })
    .click();
  await page.getByRole('heading', { name: '利用証明書', level: 1 }).waitFor();
  await waitForAnswers(page);
  return file;
}

async function openCertificate(options: OpenOptions = {}): Promise<{ page: Page; file: Buffer }> {
  const page = await newPage(options);
  return { page, file: await earn(page) };
}

async function saveBy(page: Page, name: string): Promise<string> {
  const arrival = page.waitForEvent('download');
  await page.getByRole('button', { name, exact: true }).click();
  return readFile(await (await arrival).path(), 'utf8');
}

describe('the certificate of a download', () => {
  it('A11 tells files that are the same from others, without sending them', async () => {
    const { page, file } = await openCertificate();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const input = page.getByLabel('手元のファイルを選ぶか、ここにドロップしてください。');
    const result = page.locator('#check-result');
    const choose = (buffer: Buffer) => input.setInputFiles({ name: 'a.mp3', mimeType: 'audio/mpeg', buffer });
    await choose(file);
    await expect.poll(() => result.textContent()).toMatch(/^一致しました。/);
    const changed = Buffer.from(file);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await choose(changed);
    await expect
      .poll(() => result.textContent())
      .toMatch(/^一致しません。サイズは同じですが、内容（SHA-256）が違います。/);
    await choose(file);
    await expect.poll(() => result.textContent()).toMatch(/^一致しました。/);
    await choose(file.subarray(1));
    const sizes = [file.length, file.length - 1].map((bytes) => bytes.toLocaleString('ja-JP'));
    await expect
      .poll(() => result.textContent())
      .toMatch(
        `一致しません。サイズが違います（証明書は${sizes[0]}バイト、このファイルは${sizes[1]}バイト）。`,
      );
    // Dropped beside the form.
    await page.evaluate(
      (bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(bytes)], 'a.mp3'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      },
      [...file],
    );
    await expect.poll(() => result.textContent()).toMatch(/^一致しました。/);
    expect(requests).toEqual([]);
  });

  it('gives credits to copy, a text file, and lists of this browser and of the account', async () => {
    const { page } = await openCertificate({ permissions: ['clipboard-read', 'clipboard-write'] });
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const copy = async (label: string) => {
      await page.getByRole('button', { name: `${label}をコピー` }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('コピーしました。').last().waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copy('動画の概要欄に貼る文')).toMatch(
      new RegExp(`^「${TITLE}」 音の人\\(Otoichi\\)\n${site.url}/sounds/\\w+$`),
    );
    expect(await copy('日本語の下書き')).toContain(`利用証明書：${site.url}/certificates/${id}`);
    expect(await copy('英語の下書き')).toContain(`Certificate: ${site.url}/certificates/${id}`);
    expect(await saveBy(page, 'テキストファイルで保存')).toContain(`サウンド：${TITLE}\n`);
    const csv = await saveBy(page, 'このブラウザーの一覧');
    expect(csv.split('\r\n')).toEqual([
      '\uFEFFダウンロード日時,サウンド,アーティスト,クレジット表記,利用条件,利用条件の全文,サウンドのページ,利用証明書',
      expect.stringMatching(
        new RegExp(
          `${TITLE},音の人,「${TITLE}」 音の人\\(Otoichi\\),${DEFAULT_LICENCE.line},` +
            `${site.url}/licences/\\w{64},${site.url}/sounds/\\w+,${site.url}/certificates/${id}$`,
        ),
      ) as string,
      '',
    ]);
    expect(await page.getByRole('button', { name: 'アカウントの一覧' }).count()).toBe(0);
  });

  it('states the artist’s answers on uses and Content ID, or that there are none', async () => {
    const { page } = await openCertificate();
    const read = async (name: string) => {
      const row = page.locator('.certificate-facts > div').filter({ hasText: name });
      expect(await row.isVisible()).toBe(true);
      return row.locator('dd').textContent();
    };
    expect(await read('SHA-256: ')).toContain(DEFAULT_LICENCE.line);
    expect(await read('認められた使いみち')).toBe('動画、配信、ゲーム、アプリ、商用、クレジット不要');
    expect(await page.getByText('アーティストが追加で認めた使いみち').count()).toBe(0);
    expect(await read('Content ID')).toMatch(/回答なし/);
    await earn(page, '決定音 6');
    expect(await read('アーティストが追加で認めた使いみち')).toMatch(/店舗・催し、放送・CM/);
    expect(await read('認められた使いみち')).toMatch(/、クレジット不要、店舗・催し、放送・CM$/);
    expect(await read('Content ID')).toMatch(/登録していない/);
    expect(await page.getByText('申し立てが誤りではないこともあります。').count()).toBe(0);
    await earn(page, LONG_TITLE);
    expect(await read('Content ID')).toMatch(/登録している/);
    expect(await page.getByText('申し立てが誤りではないこともあります。').isVisible()).toBe(true);
  });

  it('is in the list of the account, on every device', async () => {
    const first = await openAsMember(newPage(), MEMBER);
    await earn(first);
    const second = await openAsMember(newPage(), MEMBER);
    await visit(second, new URL(first.url()).pathname);
    expect(await saveBy(second, 'アカウントの一覧')).toContain(first.url());
    await second.getByRole('button', { name: 'このブラウザーの一覧' }).click();
    await second.getByText('このブラウザーには、まだ一覧がありません。').waitFor();
  });

  it('is read without JavaScript, and is not listed by search engines', async () => {
    const { page } = await openCertificate();
    const plain = await newPage({ javaScriptEnabled: false });
    await plain.goto(page.url());
    await plain.getByText(TITLE, { exact: true }).first().waitFor();
    expect(await plain.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    expect(await plain.getByRole('img', { name: 'QRコード' }).isVisible()).toBe(true);
    expect(await plain.getByRole('textbox', { name: '英語の下書き' }).isVisible()).toBe(true);
    for (const control of ['.file-check', '[data-copy]', '[data-save-list]'])
      expect(await plain.locator(control).first().isVisible(), control).toBe(false);
    await plain.getByRole('link', { name: '会員規約' }).first().click();
    await plain.getByText('このアドレスの文は変わりません。').waitFor();
  });

  it('is accessible and fits every screen, also with a long title', async () => {
    const page = await newPage();
    await earn(page, LONG_TITLE);
    await expectAccessible(page);
    await page.getByRole('link', { name: '会員規約' }).first().click();
    await page.getByText('このアドレスの文は変わりません。').waitFor();
    await expectAccessible(page);
  });

  it('is printed alone, with its QR code', async () => {
    const { page } = await openCertificate();
    await page.emulateMedia({ media: 'print' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 1000 });
      expect(await page.getByRole('img', { name: 'QRコード' }).isVisible()).toBe(true);
      expect(await page.getByText('ファイルのSHA-256').first().isVisible()).toBe(true);
      for (const left of ['.certificate-tools', 'nav', 'footer', '#player'])
        expect(await page.locator(left).first().isVisible(), left).toBe(false);
    }
  });
});

it('a download without a certificate says so, and keeps its file', async () => {
  const { page, file } = await openCertificate();
  await page.context().clearCookies();
  await page.route('**/api/sounds/*/download?*', async (route) => {
    const response = await route.fetch();
    const { url } = (await response.json()) as { url: string };
    await route.fulfill({ response, json: { url } });
  });
  await visit(page, `/sounds?search=${encodeURIComponent(TITLE)}`);
  const arrival = page.waitForEvent('download');
  await pressDownload(page, TITLE);
  await closeAlert(page);
  expect(await readFile(await (await arrival).path())).toEqual(file);
  const panel = page.getByRole('region', { name: /ダウンロードを始めました/ });
  await panel.getByText('利用証明書は付きませんでした。', { exact: false }).waitFor();
  expect(await panel.getByRole('link', { name: '利用証明書' }).count()).toBe(0);
  await expectAccessible(page, '.follow-up');
  await waitForAnswers(page);
});

it('an unknown certificate is a page that does not exist', async () => {
  const page = await newPage({ allow: /404/ });
  for (const path of [`/certificates/${'A'.repeat(22)}`, '/certificates/a', `/licences/${'0'.repeat(64)}`]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
  }
});
