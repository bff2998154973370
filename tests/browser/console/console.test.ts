import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { addPayee, earn, toAddress, toPayoutDeps } from '#support/members/payouts.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { STAFF, addApplications, expectNarrowTable, givePassword, useConsole } from '../support/console.ts';
import { openAsMember } from '../support/members.ts';
import { answerRequests, holdRequests } from '../support/pages.ts';
import { runOperator } from '../support/staff.ts';

const APPLICATIONS = 12;
/** The call that lists the payout requests. */
const LIST = '**/api/operator/payouts/';

const { site, newPage, openConsole, forgetPassword } = useConsole();

beforeAll(() => addApplications(site, APPLICATIONS));

const applicant = (page: Page) => page.locator('#applicant');
const waitForFiles = (page: Page) => page.locator('.desk-file').nth(2).waitFor();
const row = (page: Page, slot: number) => page.locator('.desk-file').nth(slot - 1);

describe('the console', () => {
  it('does not exist for visitors, and shows the staff what is waiting', async () => {
    const visitor = await newPage({ allow: /404/ });
    expect((await visitor.goto('/operator'))?.status()).toBe(404);
    const page = await openConsole('/operator');
    const tile = page.getByRole('listitem').filter({ hasText: 'クオリティチェック' });
    await expect.poll(() => tile.innerText()).toMatch(/12\s*件\s*2日前から/);
    await expectAccessible(page);
    await tile.getByRole('link').click();
    await expect.poll(() => applicant(page).innerText()).toBe('申請者1');
  });

  it('plays a file by its number, and shows what was measured in it', async () => {
    const page = await openConsole('/operator/quality-checks');
    await expect.poll(() => row(page, 3).locator('.finding-wave').count()).toBe(1);
    await page.keyboard.press('2');
    await expect.poll(() => row(page, 2).getAttribute('class')).toContain('is-current');
    await expect
      .poll(() =>
        page.evaluate(() => document.querySelector<HTMLAudioElement>('.desk audio')?.currentTime ?? 0),
      )
      .toBeGreaterThan(0);
    expect(await page.evaluate(() => document.querySelector<HTMLAudioElement>('.desk audio')?.src)).toMatch(
      /\/media\/quality-check\/application1\/2\?/,
    );
    await expectAccessible(page);
    await page.keyboard.press('r');
    await expectAccessible(page);
  });

  it('takes a decision back, puts an application aside with the password, returns to it, and sends what waits when it is left', async () => {
    const page = await openConsole('/operator/quality-checks', /403/);
    await expect
      .poll(() => page.getByRole('button', { name: '合格', exact: false }).first().isEnabled())
      .toBe(true);
    await page.keyboard.press('e');
    await expect.poll(() => applicant(page).innerText()).toBe('申請者2');
    await expect.poll(() => page.locator('.desk-held').innerText()).toContain('申請者1 さんを合格にします');
    await page.keyboard.press('z');
    await expect.poll(() => applicant(page).innerText()).toBe('申請者1');
    await waitForFiles(page);
    await page.keyboard.press('e');
    await page.locator('.desk-held-list > li').getByRole('button', { name: '取り消す' }).click();
    await expect.poll(() => applicant(page).innerText()).toBe('申請者1');
    await waitForFiles(page);
    await page.keyboard.press('s');
    await expect.poll(() => applicant(page).innerText()).toBe('申請者2');
    await page.keyboard.press('a');
    await expect.poll(() => applicant(page).innerText()).toBe('申請者1');
    await page.getByRole('button', { name: '順番に戻す' }).waitFor();
    await forgetPassword();
    await page.keyboard.press('s');
    await givePassword(page);
    await page.getByRole('button', { name: 'あとに回す' }).waitFor();
    const decided = await catchDecisions(page);
    await waitForFiles(page);
    await page.keyboard.press('e');
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    await expect.poll(() => decided).toEqual(['application1']);
  });

  it('asks before it is left with a decision in a browser without keepalive, and sends it meanwhile', async () => {
    const page = await newPage();
    await page.addInitScript(() => Reflect.deleteProperty(Request.prototype, 'keepalive'));
    await openAsMember(page, STAFF, '/operator/quality-checks');
    const decided = await catchDecisions(page);
    await waitForFiles(page);
    const name = await applicant(page).innerText();
    await page.keyboard.press('e');
    await expect.poll(() => applicant(page).innerText()).not.toBe(name);
    const asking = page.waitForEvent('dialog');
    void page.close({ runBeforeUnload: true });
    const question = await asking;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await expect.poll(() => decided.length).toBe(1);
  });

  /** Applications that the page has decided on; the server is not told. */
  async function catchDecisions(page: Page): Promise<string[]> {
    const caught: string[] = [];
    await page.route('**/api/operator/quality-checks/*/review/', (route) => {
      caught.push(route.request().url().split('/').at(-3) ?? '');
      return route.fulfill({ json: { state: 'approved' } });
    });
    return caught;
  }
  /** Opens the desk with a clock that `stopClock` can stop: a busy browser may be slower than five seconds. */
  async function openDesk(query = ''): Promise<Page> {
    const page = await newPage();
    await page.clock.install();
    await openAsMember(page, STAFF, `/operator/quality-checks${query}`);
    return page;
  }
  const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);

  it('answers a key that is pressed while the application loads, and takes back the last decision of all', async () => {
    const page = await newPage();
    await page.clock.install();
    const decided = await catchDecisions(page);
    await page.route('**/api/operator/quality-checks/', async (route) => {
      const { results } = (await (await route.fetch()).json()) as { results: unknown[] };
      await route.fulfill({ json: { results: results.slice(0, 1) } });
    });
    const answer = await holdRequests(page, '**/api/operator/quality-checks/application1/');
    await openAsMember(page, STAFF, '/operator/quality-checks');
    await expect.poll(() => applicant(page).innerText()).toBe('申請者1');
    const reply = page.locator('.desk-answer');
    await page.keyboard.press('e');
    await reply.getByText('読み込んでいます。表示されてから、もう一度押してください。').waitFor();
    await expectAccessible(page);
    answer();
    await waitForFiles(page);
    await expect.poll(() => reply.innerText()).toBe('');
    await page.keyboard.press('d');
    await reply.getByText('待っている申請は、ほかにありません。').waitFor();
    await stopClock(page);
    await page.keyboard.press('e');
    await page.getByText('審査を待っている申請はありません').waitFor();
    await page.keyboard.press('z');
    await expect.poll(() => applicant(page).innerText()).toBe('申請者1');
    await page.clock.runFor(6_000);
    expect(decided).toEqual([]);
  });

  it('says that an application could not be read, and reads it again', async () => {
    const page = await newPage({ allow: /503|Failed to load resource/ });
    const path = '**/api/operator/quality-checks/application1/';
    const accept = await answerRequests(page, path, (route) => route.fulfill({ status: 503, json: {} }));
    await openAsMember(page, STAFF, '/operator/quality-checks');
    const failure = page.getByRole('alert').filter({ hasText: '申請を読み込めませんでした' });
    await failure.waitFor();
    await page.keyboard.press('e');
    await page.locator('.desk-answer').getByText('読み込めませんでした。').waitFor();
    await expectAccessible(page);
    accept();
    await failure.getByRole('button', { name: 'もう一度読み込む' }).click();
    await waitForFiles(page);
    expect(await failure.count()).toBe(0);
  });

  it('says why the keys are off once somebody else has decided', async () => {
    const page = await openDesk('?id=application3');
    await waitForFiles(page);
    await page.route('**/api/operator/quality-checks/application3/', async (route) => {
      const read = (await (await route.fetch()).json()) as object;
      const decision = {
        state: 'rejected',
        decided_at: 0,
        decided_by: '別の運営',
        reason: '雑音が入っています。',
      };
      await route.fulfill({ json: { ...read, ...decision, allowed: [] } });
    });
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: '不合格の理由' }).waitFor();
    await page.clock.fastForward(9 * 60_000);
    await page.getByText('別の運営 さんが、1970/01/01 9:00に不合格にしています。').waitFor();
    await page.getByText('理由：雑音が入っています。').waitFor();
    await expect.poll(() => page.getByRole('heading', { name: '不合格の理由' }).count()).toBe(0);
    await page.keyboard.press('e');
    await page.locator('.desk-answer').getByText('この申請は、もう決まっています。').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('d');
    await expect.poll(() => applicant(page).innerText()).toBe('申請者4');
  });

  it('keeps the table, the typed total and the focus while payouts are decided and read again', async () => {
    await withDatabaseOf(site.dataDir, async (database) => {
      for (const username of ['受取丙', '受取丁', '受取戊']) {
        const member = await addPayee(database, username);
        await earn(database, member, 4_000, Date.now() - 60 * 86_400_000);
        await requestPayout(toPayoutDeps(database, { now: Date.now }), member, {
          email: toAddress(username),
        });
      }
    });
    const page = await openConsole('/operator/payouts', /404/);
    const row = (name: string) =>
      page.getByRole('region', { name: '送金依頼の表' }).getByRole('row').filter({ hasText: name });
    const total = page.getByLabel('銀行が振り込んだ合計（円）');
    const refuse = async (name: string) => {
      await row(name).getByRole('button', { name: '却下…' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('口座名義が違います');
      await page.getByRole('button', { name: '却下する' }).click();
    };
    await row('受取丙').getByRole('checkbox').check();
    await total.fill('4,000');
    let answer = await holdRequests(page, LIST);
    let reading = page.waitForRequest(LIST);
    await refuse('受取丁');
    await reading;
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await row('受取丁').count()).toBe(1);
    answer();
    await expect.poll(() => row('受取丁').count()).toBe(0);
    expect(await total.inputValue()).toBe('4,000');

    answer = await holdRequests(page, LIST);
    reading = page.waitForRequest(LIST);
    await page.getByRole('button', { name: '送金済みにする' }).click();
    await reading;
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('bank-total');
    answer();
    await expect.poll(() => row('受取丙').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('bank-total');

    const accept = await answerRequests(page, LIST, (route) => route.fulfill({ status: 404, json: {} }));
    await refuse('受取戊');
    await page.getByText('送金依頼を読み込めませんでした').waitFor();
    expect(await row('受取戊').count()).toBe(1);
    accept();
    await page.getByRole('button', { name: 'もう一度読み込む' }).click();
    await page.getByText('待っている送金依頼はありません').waitFor();
  });

  it('books payouts once the bank’s total matches, after the password', async () => {
    await withDatabaseOf(site.dataDir, async (database) => {
      for (const username of ['受取甲', '受取乙']) {
        const member = await addPayee(database, username);
        await earn(database, member, 4_000, Date.now() - 60 * 86_400_000);
        const deps = toPayoutDeps(database, { now: Date.now });
        await requestPayout(deps, member, { email: toAddress(username) });
      }
    });
    const page = await openConsole('/operator/payouts', /403/);
    await page.getByRole('checkbox', { name: '受取甲 さんの依頼を選ぶ' }).waitFor();
    await expectAccessible(page);
    await expectNarrowTable(page);
    await page.getByRole('checkbox', { name: '送金できるものをすべて選ぶ' }).check();
    const book = page.getByRole('button', { name: '送金済みにする' });
    await page.getByLabel('銀行が振り込んだ合計（円）').fill('8,001');
    expect(await book.isDisabled()).toBe(true);
    await page.getByLabel('銀行が振り込んだ合計（円）').fill('８，０００円');
    await forgetPassword();
    await book.click();
    await givePassword(page);
    await page.getByText('待っている送金依頼はありません').waitFor();
  });

  it('decides on all applications by keyboard alone, and records it', async () => {
    const page = await openConsole('/operator/quality-checks');
    for (let number = 1; number <= APPLICATIONS; number += 1) {
      await expect.poll(() => applicant(page).innerText(), { interval: 10 }).toBe(`申請者${number}`);
      await expect.poll(() => page.locator('.desk-file').count(), { interval: 10 }).toBe(3);
      await page.keyboard.press('1');
      if (number % 5 === 0) {
        await page.keyboard.press('r');
        await page.keyboard.press('4');
        await page.keyboard.press('r');
      } else await page.keyboard.press('e');
    }
    await page.getByText('審査を待っている申請はありません').waitFor();
    await page.getByRole('button', { name: '今すぐ確定' }).click();
    await expect
      .poll(async () => JSON.parse(await runOperator(site, 'quality-checks', 'list', '--json')) as unknown[])
      .toEqual([]);

    await page.goto('/operator/actions');
    await page.getByRole('searchbox', { name: '記録を検索' }).fill('雑音');
    const rows = page.locator('.console-table tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    await expect(rows.first().getByRole('link').getAttribute('href')).resolves.toMatch(
      /^\/operator\/members\?id=\w+$/,
    );
    const kind = page.getByRole('combobox', { name: '種類' });
    await kind.selectOption('サウンド');
    await page.getByText('見つかりませんでした。').waitFor();
    await kind.selectOption('クオリティチェック');
    await page.getByLabel('この日まで').fill('2020-01-01');
    await page.getByText('見つかりませんでした。').waitFor();
    await page.getByLabel('この日まで').fill('');
    await expect.poll(() => rows.count()).toBe(2);
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSVをダウンロード' }).click();
    expect((await download).suggestedFilename()).toBe('operator-actions.csv');
  });
});
