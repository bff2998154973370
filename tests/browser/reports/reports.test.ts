import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { addArtist, addMember, addSound, cardOf, openMySounds } from '../support/artists.ts';
import { expectAccessible } from '../support/axe.ts';
import { readMailedLink } from '../support/members.ts';
import type { Account } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { runOperator } from '../support/staff.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const STAFF = 'report-staff@example.test';
const ARTIST = '潮騒工房';
const TITLE = '満ち潮の歌 <b>&amp;</b>';
const WHY = '権利者の説明を確認しました。';
const EXPLANATION = '2020年に公開した曲と同じです。\n<img src=x onerror=alert(1)>';

const site = useSite();
let artist: Account;
let soundId: string;
const { open, newPage } = useBrowser(() => site.url);

beforeAll(async () => {
  artist = await addArtist(site, ARTIST);
  soundId = await addSound(site, artist, TITLE);
  await addMember(site, 'report-staff', { is_staff: true });
});

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: false });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));
const submitOf = (page: Page) => page.getByRole('button', { name: '報告を送信する' });

async function openForm(options = {}): Promise<Page> {
  const page = await open(`/sounds/${soundId}/report`, options);
  await expect.poll(() => submitOf(page).isEnabled()).toBe(true);
  return page;
}

/** Sends a report by the form. */
async function report(page: Page, email: string): Promise<void> {
  await page.getByLabel('報告の理由').selectOption('copyright');
  await field(page, '権利との関係').fill('著作権者本人');
  await field(page, '説明').fill(EXPLANATION);
  await field(page, 'お名前').fill('権利 花子');
  await field(page, 'メールアドレス').fill(email);
  await page.getByRole('checkbox', { name: '報告の内容' }).check();
  await submitOf(page).click();
  await page.getByRole('heading', { name: '確認のメールをお送りしました' }).waitFor();
}

describe('a visitor’s report', () => {
  it('is confirmed by mail, answered by the artist and decided by the staff; both sides see it', async () => {
    const email = 'rights@example.test';
    const page = await open(`/sounds/${soundId}`);
    await page.getByRole('link', { name: '権利侵害などを報告する' }).click();
    await page.waitForURL(/\/report$/);
    await expect.poll(() => submitOf(page).isEnabled()).toBe(true);
    await expectAccessible(page);
    await report(page, email);
    await expectAccessible(page);

    const link = await readMailedLink(site.dataDir, email, '/report#token=');
    const reporter = await newPage();
    await reporter.goto(link);
    const confirm = reporter.getByRole('button', { name: '報告を確定する' });
    await confirm.waitFor();
    expect(new URL(reporter.url()).hash).toBe('');
    await reporter.getByText('<img src=x onerror=alert(1)>').waitFor();
    await expectAccessible(reporter);
    await confirm.press('Enter');
    await reporter.getByText('投稿者の回答を待っています。').waitFor();
    expect(await confirm.count()).toBe(0);
    await expectAccessible(reporter);

    const owner = await newPage();
    await openMySounds(owner, artist);
    await cardOf(owner, TITLE).getByText('報告が届いています').waitFor();
    const panel = owner.getByRole('region', { name: '報告が届いています' });
    await panel.getByText('著作権の侵害').waitFor();
    await expectAccessible(owner, '.report-panel');
    expect(await owner.locator('body').innerText()).not.toMatch(/花子|rights@/);
    await panel.getByRole('button', { name: /確認して回答$/ }).press('Enter');
    const dialog = owner.getByRole('dialog', { name: '報告の内容' });
    await dialog.getByText(/回答をお待ちしています/).waitFor();
    await dialog.getByText('<img src=x onerror=alert(1)>').waitFor();
    await expect.poll(() => owner.evaluate(() => document.activeElement?.id)).toBe('own-report-title');
    await expectAccessible(owner, 'dialog[open]');
    const answer = dialog.getByRole('textbox', { name: '回答' });
    await answer.fill('自作の曲です。');
    await owner.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await panel.getByRole('button', { name: /確認して回答$/ }).click();
    expect(await answer.inputValue()).toBe('自作の曲です。');
    await answer.press('Control+Enter');
    await dialog.getByText('回答を受け付けました。運営者が確認しています。').waitFor();
    expect(await answer.count()).toBe(0);
    await expect.poll(() => owner.evaluate(() => document.activeElement?.id)).toBe('own-report-title');
    await owner.keyboard.press('Escape');
    await owner.getByRole('region', { name: '報告を運営者が確認しています' }).waitFor();
    await cardOf(owner, TITLE).getByText('報告を運営者が確認しています').waitFor();
    expect(await owner.getByText('報告が届いています').count()).toBe(0);

    const queue = JSON.parse(await runOperator(site, 'reports', '--json')) as { readonly id: string }[];
    const details = await Promise.all(
      queue.map(({ id }) => runOperator(site, 'reports', 'show', id, '--json')),
    );
    const opened = details.map(
      (text) => JSON.parse(text) as { readonly id: string; readonly answer: string },
    );
    const waiting = opened.find(({ answer }) => answer === '自作の曲です。');
    await runOperator(site, 'reports', 'hide', waiting?.id ?? '', '--reason', WHY, '--as', STAFF);
    await reporter.goto('about:blank');
    await reporter.goto(link);
    await reporter.getByText('運営者が、サウンドを非公開にしました。').waitFor();
    await reporter.getByText(`理由：${WHY}`).waitFor();
    expect(await reporter.locator('body').innerText()).not.toContain('自作の曲');
    await owner.reload();
    await cardOf(owner, TITLE).getByText(`非公開の理由：${WHY}`).waitFor();
    await owner.getByText('終わった報告（1件）').click();
    await owner.getByRole('button', { name: /内容を見る$/ }).click();
    await dialog.getByText('運営者が、サウンドを非公開にしました。').waitFor();
    await dialog.getByText(`理由：${WHY}`).waitFor();
    await expectAccessible(owner, 'dialog[open]');
    await runOperator(site, 'reports', 'restore', waiting?.id ?? '', '--reason', WHY, '--as', STAFF);
    await expect.poll(async () => (await fetch(`${site.url}/sounds/${soundId}`)).status).toBe(200);
  });

  it('keeps what was typed when it is refused, and marks each wrong field', async () => {
    const page = await openForm({ allow: /400/ });
    await submitOf(page).click();
    await expect.poll(() => focused(page)).toBe('reason');
    await page.getByText('理由を選んでください。').waitFor();
    await expectAccessible(page);
    await page.getByLabel('報告の理由').selectOption('likeness');
    await field(page, '説明').fill('説明です。');
    await submitOf(page).click();
    await expect.poll(() => focused(page)).toBe('relation');
    await page.getByText('内容が事実であることを確認してください。').waitFor();
    expect(await field(page, '説明').inputValue()).toBe('説明です。');
    // The host refuses an address that the browser accepts.
    await page.route(/\/api\/sounds\/\w+\/reports\//, (route) =>
      route.fulfill({ status: 400, json: { email: 'このアドレスには送れません。' } }),
    );
    await page.getByLabel('報告の理由').selectOption('terms');
    expect(await field(page, '権利との関係').isVisible()).toBe(false);
    await field(page, 'お名前').fill('花子');
    await field(page, 'メールアドレス').fill('a@b.example');
    await submitOf(page).click();
    await expect.poll(() => focused(page)).toBe('email');
    expect(await field(page, '説明').inputValue()).toBe('説明です。');
  });

  it('can be made with the keyboard alone', async () => {
    const page = await openForm();
    await page.getByLabel('報告の理由').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    for (const text of ['規約の第5条に反します。', '花子']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type('keyboard@example.test');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '確認のメールをお送りしました' }).waitFor();
    const [reported] = await withDatabaseOf(site.dataDir, ({ db }) =>
      everyTable(db)
        .selectFrom('reports')
        .select(['reason', 'shares_name'])
        .where('email', '=', 'keyboard@example.test')
        .execute(),
    );
    expect(reported).toEqual({ reason: 'terms', shares_name: 1 });
  });
});

describe('the link of a report', () => {
  it('says so when it is incomplete or wrong', async () => {
    const page = await open('/report', { allow: /400/ });
    await page.getByRole('heading', { name: 'リンクを開き直してください' }).waitFor();
    await expectAccessible(page);
    await page.goto('about:blank');
    await page.goto('/report#token=wrong');
    await page.getByText('このリンクは使えません。').waitFor();
    await expectAccessible(page);
  });
});

it('a sound that does not exist has no form', async () => {
  expect((await fetch(`${site.url}/sounds/Zz00Zz00Zz00Zz00/report`)).status).toBe(404);
});
