import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatMonth } from '#src/lib/format.ts';
import { toMonth } from '#contract/values/months.ts';
import { writePicture, writeTone } from '../support/artist-files.ts';
import { cardOf, chooseSounds } from '../support/artists.ts';
import { PAYEE_EMAIL } from '../support/catalogue.ts';
import { logIn, readMailedLink, register } from '../support/members.ts';
import { agree, pressDownload, putNotices } from '../support/notices.ts';
import { useBrowser } from '../support/pages.ts';
import { type Site, startSite } from '../support/sites.ts';
import { findWaiting, runOperator } from '../support/staff.ts';
import { expectToastInView } from '../support/toasts.ts';

const DAY_MS = 86_400_000;
/** Long enough that a reward earned then has passed its 30 days, and its month is over. */
const DAYS_AGO = 70;
const STRANGER = '203.0.113.9';
const ACCOUNT = { email: 'first.steps@example.test', password: 'a long enough one' };
const USERNAME = '新しい音';
const TITLE = '朝の市場';

let folder: string;
let site: Site;
const { newPage } = useBrowser(() => site.url);

/** The same site each time, at the same address. */
async function start(env: Record<string, string> = {}): Promise<Site> {
  return startSite({
    SITE_FOLDER: join(folder, 'site'),
    REWARD_YEN_PER_DOWNLOAD: '3000',
    // The stranger uses a separate address: an artist earns nothing from their own network.
    TRUSTED_PROXY_HOPS: '1',
    ...env,
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-artist-'));
  await mkdir(join(folder, 'site'));
  site = await start({ DAYS_AGO: String(DAYS_AGO) });
  await runOperator(site, 'members', 'make-staff', PAYEE_EMAIL);
  await putNotices(site, [{}]);
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
  expect(site.log, 'the server’s log is silent').toEqual([]);
});

const operate = (...args: string[]) => runOperator(site, ...args, '--as', PAYEE_EMAIL);

async function fillRow(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole('button', { name: `${label}を編集`, exact: true }).click();
  const field = page.getByLabel(label, { exact: true });
  if (label === '預金種別') await field.selectOption(value);
  else await field.fill(value);
  await field.press('Enter');
  await expectToastInView(page, 'Profile updated successfully');
  await field.waitFor({ state: 'hidden' });
}

async function openPersonalInfo(page: Page): Promise<void> {
  const details = page.locator('details', { hasText: '個人情報・振込先' }).first();
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
}

it(
  'a new artist goes from registration to the first payout, and sees every toast',
  { timeout: 120_000 },
  async () => {
    const page = await newPage();

    await register(page, USERNAME, ACCOUNT);
    await page.getByText(ACCOUNT.email).waitFor();

    await page.goto(await readMailedLink(site.dataDir, ACCOUNT.email, '/login?'));
    await expectToastInView(page, 'User confirmed. Please login');
    await logIn(page, ACCOUNT);
    await page.getByRole('main').getByText(USERNAME).first().waitFor();

    await page.getByRole('button', { name: 'プロフィール画像を変更' }).click();
    const pictures = page.getByRole('dialog', { name: 'プロフィール画像の変更' });
    await pictures.locator('input[type=file]').setInputFiles(await writePicture(folder));
    await pictures.getByRole('button', { name: '保存する' }).click();
    await expectToastInView(page, 'Profile updated successfully');
    await pictures.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: '申請する' }).click();
    const form = page.getByRole('dialog', { name: 'クオリティチェックの申請' });
    for (const [index, hertz] of [262, 294, 330].entries()) {
      await form
        .getByLabel(`${index + 1}曲目`)
        .setInputFiles(await writeTone(folder, `応募 ${hertz}.mp3`, hertz));
    }
    await form.getByRole('checkbox', { name: 'BGM' }).check();
    await form.getByRole('checkbox', { name: '会員規約' }).check();
    await form.getByRole('button', { name: '申請する' }).click();
    await expectToastInView(page, 'クオリティチェックが申請されました');
    await operate('quality-checks', 'approve', await findWaiting(site, 'quality-checks', USERNAME));
    await page.reload();
    await page.getByText('メディアのアップロードからはじめましょう。').waitFor();
    await page.getByText('合格しています。').waitFor();

    await chooseSounds(page, await writeTone(folder, `${TITLE}.mp3`, 440));
    await expectToastInView(page, 'サウンドがアップロードされました');
    await page.getByRole('button', { name: `${TITLE}を編集` }).click();
    const editor = page.getByRole('dialog', { name: 'サウンドの編集' });
    await editor.getByLabel('ステータス', { exact: true }).selectOption('公開');
    await editor.getByRole('button', { name: '保存', exact: true }).click();
    await expectToastInView(page, 'Sound updated successfully');
    await expect.poll(() => cardOf(page, TITLE).getByText('非公開').count()).toBe(0);

    const stranger = await newPage({ extraHTTPHeaders: { 'x-forwarded-for': STRANGER } });
    await stranger.goto(`/sounds?search=${TITLE}`);
    const downloading = stranger.waitForEvent('download');
    await pressDownload(stranger, TITLE);
    await agree(stranger);
    expect((await downloading).suggestedFilename()).toBe(`${TITLE} - ${USERNAME}.mp3`);

    await openPersonalInfo(page);
    for (const [label, value] of [
      ['氏名', '見本 太郎'],
      ['ふりがな', 'みほん たろう'],
      ['電話番号', '090-1234-5678'],
      ['金融機関名', '見本銀行'],
      ['支店名', '本店'],
      ['預金種別', '普通'],
      ['口座番号', '1234567'],
    ] as const)
      await fillRow(page, label, value);
    await page.getByRole('button', { name: '本人確認書類を提出' }).click();
    const identity = page.getByRole('dialog', { name: '本人確認書類の提出' });
    await identity.locator('input[type=file]').setInputFiles(await writePicture(folder));
    await identity.getByRole('button', { name: '提出する' }).click();
    await expectToastInView(page, 'Verification Request Submitted');
    const image = join(folder, 'id.jpg');
    const submission = await findWaiting(site, 'personal-info', USERNAME);
    await operate('personal-info', 'view', submission, '--to', image, '--reason', '新しい提出の審査');
    expect((await readFile(image)).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    await operate('personal-info', 'approve', submission);

    // The reward waits until its month and 30 days are over: the same site continues in the present.
    const port = new URL(site.url).port;
    await site.stop();
    expect(site.log, 'the server’s log is silent').toEqual([]);
    site = await start({ PORT: port });
    // Sessions end after 30 days without a call.
    const later = await newPage();
    const month = toMonth(Date.now() - DAYS_AGO * DAY_MS);
    await later.goto(`/login?redirect=${encodeURIComponent(`/profile/statement?month=${month}`)}`);
    await logIn(later, ACCOUNT);
    await later
      .getByRole('combobox')
      .locator('option', { hasText: formatMonth(month) })
      .first()
      .waitFor({
        state: 'attached',
      });
    await later.getByRole('row', { name: TITLE }).getByText('¥3,000').first().waitFor();

    await later.goto('/profile');
    await later.getByText('承認されました').waitFor({ state: 'attached' });
    await later.getByText('¥3,000').first().waitFor();
    await later.getByRole('button', { name: '送金を依頼する' }).click();
    await later.getByRole('button', { name: '依頼する', exact: true }).click();
    await later.getByText('送金依頼を受け付けました。').waitFor();
    await operate('transfers', 'pay', await findWaiting(site, 'transfers', USERNAME), '--total', '3000');
    await later.reload();
    await later.getByText('送金依頼の履歴').click();
    await later.getByText('送金済み').waitFor();
    await expect.poll(() => later.getByRole('button', { name: '送金を依頼する' }).isEnabled()).toBe(true);
  },
);
