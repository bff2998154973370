import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { closeOverdueReports } from '#server/features/reports/deadlines.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { createTestApi } from '#support/http/api.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { as } from '#support/members/profiles.ts';
import { reportSound } from '#support/members/reports.ts';
import { expectAccessible } from '../support/axe.ts';
import { givePassword, playSound } from '../support/console.ts';
import { openAsMember } from '../support/members.ts';
import { useBrowser } from '../support/pages.ts';
import { type Site, startSite } from '../support/sites.ts';
import { runOperator } from '../support/staff.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const STAFF = { email: 'report-desk@example.test', password: 'member password' };
const OTHER = 'other-desk@example.test';
const REPORTER = 'kenri@example.test';
const ANSWER = '2019年に自分で作りました。';
const DAY_MS = 86_400_000;

let site: Site;
/** Reports of three sounds: the oldest is overdue, the next one is answered, the last one waits. */
let reports: { readonly id: string; readonly sound: string; readonly title: string }[];
const { newPage } = useBrowser(() => site.url);

beforeAll(async () => {
  // Before the site starts: a running site wipes the text of a mail, and with it the secret, as soon as it is sent.
  const template = await mkdtemp(join(tmpdir(), 'reports-template-'));
  await cp(inject('siteTemplate'), template, { recursive: true });
  reports = await withDatabaseOf(template, async (database) => {
    const password_hash = await hashPassword(STAFF.password);
    await createUser(database, { username: '報告の担当', email: STAFF.email, is_staff: true, password_hash });
    await createUser(database, { username: '別の担当', email: OTHER, is_staff: true });
    const sounds = await everyTable(database.db)
      .selectFrom('sounds')
      .select(['id', 'title', 'artist_id'])
      .where('is_published', '=', 1)
      .where('title', '!=', '')
      .orderBy('seq')
      .limit(3)
      .execute();
    const api = createTestApi(database);
    api.clock.advance(Date.now() - 10 * DAY_MS - api.clock.now());
    const made = [];
    for (const { id: sound, title, artist_id } of sounds) {
      const id = await reportSound(api, sound, { email: REPORTER });
      if (made.length === 1) {
        await api.post(`/api/account/reports/${id}/answer/`, { text: ANSWER }, await as(api, artist_id));
      }
      made.push({ id, sound, title });
      api.clock.advance(5 * DAY_MS - 1);
      if (made.length === 2) {
        await closeOverdueReports({
          database,
          clock: api.clock,
          siteUrl: 'http://localhost',
          siteName: 'Otoichi',
          operatorEmail: STAFF.email,
        });
      }
    }
    return made;
  });
  site = await startSite({ RATE_LIMITS: 'off' }, template);
  await rm(template, { recursive: true });
});
afterAll(async () => {
  await site.stop();
  expect(site.log, 'the server’s log is silent').toEqual([]);
});

async function openDesk(path = '/operator/reports', options = {}): Promise<Page> {
  const page = await openAsMember(newPage(options), STAFF, path);
  return page;
}
const lines = (page: Page) => page.locator('.report-line');
const heading = (page: Page) => page.locator('#report-title');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
const show = async (id: string) =>
  JSON.parse(await runOperator(site, 'reports', 'show', id, '--json')) as { state: string };

describe('the console’s page of reports', () => {
  it('lists overdue reports first, and opens them by keyboard in a narrow window', async () => {
    const page = await openDesk('/operator', { width: 320, height: 700 });
    const tile = page.getByRole('listitem').filter({ hasText: '権利の報告' });
    await expect.poll(() => tile.innerText()).toMatch(/2\s*件/);
    await tile.getByRole('link').click();
    await expect.poll(() => lines(page).count()).toBe(3);
    const texts = await lines(page).allInnerTexts();
    expect(
      texts.map((text) => text.split('\n').find((line) => reports.some(({ title }) => title === line))),
    ).toEqual(reports.map(({ title }) => title));
    expect(texts.map((text) => /期限切れ|回答（|期限 /.exec(text)?.[0])).toEqual([
      '期限切れ',
      '回答（',
      '期限 ',
    ]);
    expect(texts.join('')).not.toContain('権利 花子');
    await expectAccessible(page);
    await lines(page).nth(1).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('report-title');
    expect(await lines(page).first().isVisible()).toBe(false);
    const panel = await page.locator('.report-view').innerText();
    for (const text of [ANSWER, `権利 花子（${REPORTER}）`, '著作権者本人', '投稿者が回答しました']) {
      expect(panel).toContain(text);
    }
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: '一覧に戻る' }).press('Enter');
    await expect.poll(() => focused(page)).toBe(`report-${reports[1]?.id}`);
  });

  it('hides a sound with an edited reason, and still plays it for the staff', async () => {
    const [, , waiting] = reports;
    const page = await openDesk(`/operator/reports?id=${waiting?.id}`, { width: 1440 });
    await expect.poll(() => heading(page).innerText()).toBe(waiting?.title);
    expect(await lines(page).first().isVisible()).toBe(true);
    await page.getByRole('button', { name: '非公開にする…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'サウンドを非公開にしますか？' });
    await dialog.getByText('報告者と投稿者の両方にメールで伝わります').waitFor();
    const send = dialog.getByRole('button', { name: '非公開にする' });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: '確認のあいだ' }).press('Enter');
    await dialog.getByRole('textbox', { name: '理由' }).press('End');
    await dialog.getByRole('textbox', { name: '理由' }).pressSequentially('以上です。');
    await expectAccessible(page);
    await send.press('Enter');
    await expect
      .poll(() => page.locator('.report-view').innerText())
      .toContain('投稿者の回答待ち（非公開中）');
    expect(await page.locator('.report-view').innerText()).toMatch(/（報告の担当）\s*理由：.*以上です。/);
    expect(await focused(page)).toBe('report-title');
    expect(await show(waiting?.id ?? '')).toMatchObject({ state: 'waiting-hidden' });
    expect((await fetch(`${site.url}/api/sounds/${waiting?.sound}/`)).status).toBe(404);
    expect(await playSound(page, '.report-sound')).toBeGreaterThan(0);
  });

  it('tells the second of two staff members who was first', async () => {
    const [, answered] = reports;
    const page = await openDesk(`/operator/reports?id=${answered?.id}`, { allow: /409/ });
    await page.getByRole('button', { name: '非公開にする…' }).click();
    await runOperator(
      site,
      'reports',
      'dismiss',
      answered?.id ?? '',
      '--reason',
      '自作でした',
      '--as',
      OTHER,
    );
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '理由' }).fill('権利を侵害しています。');
    await dialog.getByRole('button', { name: '非公開にする' }).click();
    await page.getByText('別の担当 さんが先に対応しないと決めました。').first().waitFor();
    await expect.poll(() => page.locator('.report-view').innerText()).toContain('対応しませんでした');
    expect(await dialog.count()).toBe(0);
    expect(await page.getByRole('group', { name: '判断' }).count()).toBe(0);
  });

  it('deletes a sound after the password and a warning of what is lost', async () => {
    const [overdue] = reports;
    const page = await openDesk('/operator/reports', { allow: /403/ });
    await lines(page).first().click();
    await expect.poll(() => heading(page).innerText()).toBe(overdue?.title);
    await page.getByRole('button', { name: '削除する…' }).click();
    const dialog = page.getByRole('dialog', { name: 'サウンドを削除しますか？' });
    await dialog
      .getByText(/音声とサムネイルのファイル、お気に入り[\d,]+件が失われます。元に戻すことはできません。/)
      .waitFor();
    await dialog.getByRole('button', { name: '権利の侵害' }).click();
    await expectAccessible(page);
    await withDatabaseOf(site.dataDir, (database) =>
      everyTable(database.db).updateTable('sessions').set({ authenticated_at: 0 }).execute(),
    );
    await dialog.getByRole('button', { name: '削除する' }).click();
    await givePassword(page);
    await page.getByText('サウンドは削除されています。').waitFor();
    expect(await show(overdue?.id ?? '')).toMatchObject({ state: 'deleted' });
    await page.getByRole('button', { name: '終わった報告' }).click();
    await expect.poll(() => lines(page).count()).toBe(2);
    await page.goto('/operator/actions');
    await page.locator('.console-table').getByText('権利の報告：削除').waitFor();
  });

  it('are chosen by keyboard, and end together with one reason', async () => {
    const copies = await withDatabaseOf(site.dataDir, async ({ db }) => {
      const row = await everyTable(db)
        .selectFrom('reports')
        .selectAll()
        .where('id', '=', reports[2]?.id ?? '')
        .executeTakeFirstOrThrow();
      const ids = ['copy1', 'copy2'];
      await everyTable(db)
        .insertInto('reports')
        .values(ids.map((id) => ({ ...row, id, secret_hash: id })))
        .execute();
      return ids;
    });
    const page = await openDesk();
    await expect.poll(() => lines(page).count()).toBe(3);
    await page.keyboard.press('d');
    await page.locator('.report-view').waitFor();
    const keys = page.getByRole('group', { name: '操作' });
    expect(await keys.getByRole('button', { name: '対応しない…' }).isDisabled()).toBe(true);
    for (const id of copies)
      await page
        .getByRole('listitem')
        .filter({ has: page.locator(`#report-${id}`) })
        .getByRole('checkbox')
        .press('Space');
    await keys.getByText('選択 2件').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: '対応せずに、報告を終えますか？' });
    await dialog.getByText('報告による非公開は解除されます。').waitFor();
    await dialog.getByRole('button', { name: '侵害なし' }).press('Enter');
    await dialog.getByRole('button', { name: '対応しない' }).press('Enter');
    await expect.poll(() => lines(page).count()).toBe(1);
    for (const id of copies) expect(await show(id)).toMatchObject({ state: 'dismissed' });
    expect(await show(reports[2]?.id ?? '')).toMatchObject({ state: 'waiting-hidden' });
  });
});
