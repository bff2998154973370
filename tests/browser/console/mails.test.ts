import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { expectAccessible } from '../support/axe.ts';
import { expectNarrowTable, useConsole } from '../support/console.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;

const { site, openConsole } = useConsole();

beforeAll(() =>
  withDatabaseOf(site.dataDir, async ({ db }) => {
    const mail = {
      to_address: 'hana@example.test',
      text: 'secret',
      html: '',
      attempts: 3,
      created_at: Date.now() - DAY_MS,
      next_attempt_at: Date.now() + DAY_MS,
      last_error: 'EENVELOPE RCPT TO 450 4.2.1',
      bounced_at: null,
      bounce_status: '',
    };
    await everyTable(db)
      .insertInto('mail_outbox')
      .values([
        { ...mail, id: 'waits', subject: '【Otoichi】パスワードの再設定', state: 'waiting' },
        { ...mail, id: 'drops', subject: '【Otoichi】新しいメッセージが届きました', state: 'waiting' },
        { ...mail, id: 'lost', subject: '【Otoichi】登録の確認', state: 'given-up', text: '' },
        {
          ...mail,
          id: 'back',
          subject: '【Otoichi】送金のお知らせ',
          state: 'sent',
          text: '',
          last_error: '',
          bounced_at: Date.now(),
          bounce_status: '5.1.1',
        },
      ])
      .execute();
  }),
);

describe('mails in the console', () => {
  it('are seen with their causes, and one that waits is dropped after a question', async () => {
    const page = await openConsole('/operator/mails');
    const row = page.getByRole('row').filter({ hasText: '新しいメッセージ' });
    await expect.poll(() => row.innerText()).toMatch(/h\*\*\*@example\.test[^]*450 4\.2\.1[^]*3回失敗、次は/);
    await expectAccessible(page);
    await row.getByRole('button', { name: /送信をやめる$/ }).click();
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: '送信をやめる' })
      .click();
    await page.getByText('メールの送信をやめました').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    const states = page.getByRole('group', { name: '表示するメール' });
    await states.getByRole('button', { name: '戻ってきたもの' }).click();
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: '送金のお知らせ' }).innerText())
      .toContain('5.1.1');
    await states.getByRole('button', { name: '送信できなかったもの' }).click();
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: '新しいメッセージ' }).innerText())
      .toContain('運営が送信をやめました');
    expect(await page.content()).not.toContain('hana@');
    await expectNarrowTable(page);
  });

  it('that were given up are what the link of the overview opens', async () => {
    const page = await openConsole('/operator/mails?state=given-up');
    await expect.poll(() => page.getByRole('row').filter({ hasText: '登録の確認' }).count()).toBe(1);
    const chosen = page.getByRole('button', { name: '送信できなかったもの' });
    expect(await chosen.getAttribute('aria-pressed')).toBe('true');
  });
});
