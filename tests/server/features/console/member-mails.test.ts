import { describe, expect, test } from 'vitest';
import type { ReviewedMember } from '#contract/operator/members.ts';
import { bothDatabases, getRow, insertMany } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { readActions } from '#support/members/profiles.ts';

describe.each(bothDatabases)('payouts and mails of a member in the console on $name', ({ open }) => {
  const { database, api, useMember, useStaff } = useApi(open);
  const staff = useStaff();
  const member = useMember({ email: 'hana@example.test' });

  const mail = {
    to_address: 'hana@example.test',
    text: '',
    html: '',
    attempts: 0,
    next_attempt_at: 9e12,
    last_error: '',
  };

  test('are shown, the newest first', async () => {
    await insertMany(database, 'mail_outbox', [
      { ...mail, id: 'old', subject: '一', state: 'sent', attempts: 1, created_at: 1 },
      { ...mail, id: 'new', subject: '二', state: 'waiting', attempts: 2, created_at: 2, last_error: '450' },
      { ...mail, id: 'other', to_address: 'a@example.test', subject: '三', state: 'sent', created_at: 3 },
    ]);
    const request = { user_id: member, email: 'x', amount: 600, reason: '' };
    await insertMany(database, 'transfer_requests', [
      { ...request, id: 'refused', state: 'refused', created_at: 4, decided_at: 5, reason: '口座が違います' },
      { ...request, id: 'open', state: 'requested', created_at: 6, decided_at: null },
    ]);
    const { mails, payouts }: ReviewedMember = await api.json(`/api/operator/members/${member}/`, staff);
    expect(mails).toEqual([
      {
        id: 'new',
        subject: '二',
        state: 'waiting',
        attempts: 2,
        created_at: 2,
        last_error: '450',
        bounce_status: '',
      },
      {
        id: 'old',
        subject: '一',
        state: 'sent',
        attempts: 1,
        created_at: 1,
        last_error: '',
        bounce_status: '',
      },
    ]);
    expect(payouts).toEqual([
      { id: 'open', amount: 600, state: 'requested', created_at: 6, decided_at: null, reason: '' },
      {
        id: 'refused',
        amount: 600,
        state: 'refused',
        created_at: 4,
        decided_at: 5,
        reason: '口座が違います',
      },
    ]);
  });

  test('are sent again while their text is there, on record', async () => {
    await insertMany(database, 'mail_outbox', [
      { ...mail, id: 'waits', subject: '一', state: 'waiting', created_at: 1 },
      { ...mail, id: 'lost', subject: '一', state: 'given-up', created_at: 1 },
    ]);
    const retry = async (id: string) =>
      (await api.post(`/api/operator/mails/${id}/retry/`, undefined, staff)).status;
    expect([await retry('waits'), await retry('lost'), await retry('nothing')]).toEqual([200, 404, 404]);
    const { next_attempt_at } = await getRow(database, 'mail_outbox', { id: 'waits' });
    expect(next_attempt_at).toBe(api.clock.now());
    expect(await readActions(database)).toMatchObject([{ action: 'retry mail', subject: 'waits' }]);
  });
});
