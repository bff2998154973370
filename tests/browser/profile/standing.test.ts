import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { refusePayout } from '#server/features/ledger/payout-decisions.ts';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { toPayoutDeps } from '#support/members/payouts.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { WIDTHS } from '../support/axe.ts';
import { ARTIST_EMAIL, MEMBER, PAYEE_EMAIL } from '../support/catalogue.ts';
import { logIn, openAsMember } from '../support/members.ts';
import { useBrowser, waitForAnswers } from '../support/pages.ts';
import { useSite } from '../support/sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { site, newPage } = useBrowser(useSite());
const ARTIST = { email: ARTIST_EMAIL, password: MEMBER.password };
const PAYEE = { email: PAYEE_EMAIL, password: MEMBER.password };

const uploadLink = (page: Page) =>
  page.getByRole('navigation', { name: 'メニュー' }).getByRole('link', { name: 'アップロード' });
const uploadButton = (page: Page) => page.getByRole('button', { name: 'アップロード', exact: true });
const setMember = (email: string, values: object) =>
  withDatabaseOf(site.dataDir, ({ db }) =>
    everyTable(db).updateTable('users').set(values).where('email', '=', email).execute(),
  );
/** Marks the document. A full load or another page of the router has no such mark. */
const mark = (page: Page) =>
  page
    .locator('main > *')
    .first()
    .evaluate((element) => element.setAttribute('data-mark', ''));
const isMarked = async (page: Page) => (await page.locator('[data-mark]').count()) > 0;

/** Waits until an element has focus and is in the viewport. */
async function expectReached(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true);
  await expect
    .poll(() =>
      element.evaluate((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    )
    .toBe(true);
}

describe('/profile#personal-info', () => {
  const summary = (page: Page) => page.locator('#personal-info > summary');

  it('survives log-in, opens, scrolls into view and receives focus, at any width', async () => {
    const page = await newPage({ width: 320, height: 700 });
    await page.goto('/profile#personal-info');
    await page.waitForURL((url) => url.pathname === '/login');
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/profile#personal-info');
    await logIn(page, PAYEE);
    expect(new URL(page.url()).hash).toBe('#personal-info');
    await expectReached(summary(page));
    await page.setViewportSize({ width: 1440, height: 700 });
    await page.reload();
    await expectReached(summary(page));
    expect(await page.locator('#personal-info').getAttribute('open')).not.toBeNull();
    // The same applies when the host ends the session.
    await page.evaluate(() => {
      localStorage.clear();
      document.dispatchEvent(new Event('session:refused'));
    });
    await page.waitForURL((url) => url.searchParams.get('redirect') === '/profile#personal-info');
  });

  it('opens before the profile is there, and stays open for a member who does something else', async () => {
    const page = await newPage();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/account/profile/*', async (route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await openAsMember(page, PAYEE, '/profile#personal-info');
    await asked.promise;
    const block = page.locator('#personal-info[open]');
    await block.waitFor();
    const link = page.getByRole('link', { name: 'サウンド', exact: true }).first();
    await link.focus();
    await page.keyboard.press('Shift');
    answer.resolve();
    await block.getByText('受取 花子').waitFor();
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('scrolls to the block on the profile itself', async () => {
    const page = await openAsMember(newPage(), PAYEE);
    await page.getByText('¥13,245').first().waitFor();
    expect(await page.locator('#personal-info').getAttribute('open')).toBeNull();
    await page.evaluate(() => (location.hash = '#personal-info'));
    await expectReached(summary(page));
    expect(await page.locator('#personal-info').getAttribute('open')).not.toBeNull();
  });
});

describe('the upload button of the menu', () => {
  it('leads an artist to the prompt, which receives focus, at any width', async () => {
    const page = await openAsMember(newPage({ height: 700 }), ARTIST, '/');
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      await page.goto('/');
      expect(await uploadLink(page).getAttribute('href')).toBe('/profile');
      await uploadLink(page).click();
      await expectReached(uploadButton(page));
      expect(new URL(page.url()).pathname).toBe('/profile');
    }
  });

  it('leads there from the profile without a page load, and from the favourites tab', async () => {
    const page = await openAsMember(newPage({ height: 700 }), ARTIST);
    await uploadButton(page).waitFor();
    // The page does not scroll without a request.
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await mark(page);
    await page.getByRole('tab', { name: 'お気に入り曲' }).click();
    await expect.poll(() => uploadButton(page).count()).toBe(0);
    for (let press = 0; press < 2; press++) {
      await page.evaluate(() => scrollTo(0, 0));
      await uploadLink(page).click();
      await expectReached(uploadButton(page));
    }
    expect(await isMarked(page)).toBe(true);
    // Focus stays on the tab that the visitor chooses next.
    await page.getByRole('tab', { name: '効果音' }).click();
    await expect
      .poll(() => page.getByRole('tab', { name: '効果音' }).getAttribute('aria-selected'))
      .toBe('true');
    expect(
      await page.getByRole('tab', { name: '効果音' }).evaluate((tab) => tab === document.activeElement),
    ).toBe(true);
  });

  it('leads strangers there through log-in, and members who may not upload to the reason', async () => {
    const page = await newPage({ height: 700 });
    await page.goto('/');
    await uploadLink(page).click();
    await page.waitForURL((url) => url.pathname === '/login');
    await logIn(page, ARTIST);
    await expectReached(uploadButton(page));

    await setMember(ARTIST_EMAIL, { is_blocked: 1 });
    await page.goto('/sounds');
    await uploadLink(page).click();
    await expectReached(page.getByText('アカウントが制限されているため').locator('..'));
    await setMember(ARTIST_EMAIL, { is_blocked: 0 });

    const listener = await openAsMember(newPage({ height: 700 }));
    await listener.goto('/');
    await uploadLink(listener).click();
    await expectReached(listener.getByRole('heading', { name: 'クオリティチェック' }));
  });
});

describe('the favourites of a member', () => {
  it.each([
    ['who is no artist', MEMBER],
    ['who is an artist', ARTIST],
  ])('%s are one press from the profile, in view and playable', async (_, account) => {
    const page = await openAsMember(newPage({ width: 320, height: 640 }), account, '/sounds');
    const card = page.locator('[data-sound]').first();
    const title = await card.locator('[data-title]').innerText();
    const heart = card.locator('.favorite');
    await waitForAnswers(page);
    if ((await heart.getAttribute('aria-pressed')) !== 'true') {
      const stored = page.waitForResponse(/toggle-favorite/);
      await heart.click();
      await stored;
    }
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 640 });
      await page.goto('/');
      await page.getByRole('link', { name: 'プロフィール' }).click();
      const link = page.getByRole('link', { name: 'お気に入り曲' });
      await expect
        .poll(async () => {
          const box = await link.boundingBox();
          return box === null ? Infinity : box.y + box.height;
        })
        .toBeLessThan(640);
      for (let press = 0; press < 2; press++) {
        await page.evaluate(() => scrollTo(0, 0));
        await link.click();
        await expectReached(page.getByRole('heading', { name: /^(お気に入り曲|サウンド)$/ }));
      }
      const list = page.getByRole('list', { name: 'お気に入り曲' });
      await list.getByText(title).waitFor();
      await list.locator('[data-play]').first().click();
      await page.getByRole('region', { name: 'プレーヤー' }).waitFor();
    }
  });
});

describe('a pending quality check', () => {
  const email = 'waiting@example.test';
  async function openPending(): Promise<Page> {
    const password_hash = await hashPassword(MEMBER.password);
    await withDatabaseOf(site.dataDir, (database) =>
      createUser(database, { username: '待つ人', email, password_hash }),
    );
    await setMember(email, { status: 'pending' });
    const page = await newPage();
    await page.clock.install();
    await openAsMember(page, { email, password: MEMBER.password });
    await page.getByText('申請を受け付けました。').waitFor();
    return page;
  }

  it('changes to the sounds section without a reload once it is passed, with a notice', async () => {
    const page = await openPending();
    await mark(page);
    await page.getByRole('heading', { name: 'クオリティチェック' }).focus();
    await setMember(email, { status: '', is_verified: 1 });
    await page.clock.fastForward(16_000);
    await page.getByText('クオリティチェックに合格しました。').waitFor();
    await uploadButton(page).waitFor();
    expect(await isMarked(page)).toBe(true);
    // Focus stays at the former place of the section.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('profile-below');
  });
});

describe('a payout that was refused', () => {
  it('says why, and is listed in the history, at any width', async () => {
    await withDatabaseOf(site.dataDir, async (database) => {
      const deps = { ...toPayoutDeps(database, systemClock), rewardPendingDays: 0 };
      const { id } = await everyTable(database.db)
        .selectFrom('users')
        .select('id')
        .where('email', '=', PAYEE_EMAIL)
        .executeTakeFirstOrThrow();
      const staff = await createUser(database, {
        username: '送金の係',
        email: 'transfer-desk@example.test',
        is_staff: true,
      });
      const request = await requestPayout(deps, id, { email: PAYEE_EMAIL });
      await refusePayout(deps, request.id, staff, '口座名義が一致しません。');
    });
    const asked: string[] = [];
    const page = await newPage();
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await openAsMember(page, PAYEE);
    const block = page.locator('section', { has: page.getByRole('heading', { name: '報酬', exact: true }) });
    await block.getByText('理由：口座名義が一致しません。').waitFor();
    await block.getByText('金額は報酬残高に戻りました。').waitFor();
    expect(asked).not.toContain('/api/finance/transfer-requests/');
    await block.getByText('送金依頼の履歴').click();
    const line = block.getByRole('listitem').first();
    await line.waitFor();
    expect(await line.innerText()).toMatch(
      /¥[\d,]+[\s\S]*受け付けられませんでした[\s\S]*20\d\d年\d+月\d+日に依頼[\s\S]*回答[\s\S]*口座名義/,
    );
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  it('shows no history to a member who never requested one', async () => {
    const page = await openAsMember(newPage(), ARTIST);
    await page.getByText('送金依頼の履歴').click();
    await page.getByText('まだ送金を依頼していません。').waitFor();
  });
});
