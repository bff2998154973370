import { describe, expect, test } from 'vitest';
import type { ListedMail } from '#contract/operator/mails.ts';
import { bothDatabases, getRow, insertRow } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { readActions } from '#support/members/profiles.ts';

describe.each(bothDatabases)('mails in the console on $name', ({ open }) => {
  const { database, api, useMember, useStaff } = useApi(open);
  const staff = useStaff();
  const member = useMember();

  const add = (id: string, state: 'waiting' | 'sent' | 'given-up', more: object = {}) =>
    insertRow(database, 'mail_outbox', {
      id,
      to_address: 'hana@example.test',
      subject: `件名 ${id}`,
      text: 'https://site.example/secret-link',
      html: '',
      state,
      attempts: 2,
      created_at: 1,
      next_attempt_at: 5,
      last_error: state === 'sent' ? '' : 'EENVELOPE RCPT TO 450 4.2.1',
      ...more,
    });
  const list = async (state: string) =>
    (await api.json(`/api/operator/mails/?state=${state}`, staff)).results as ListedMail[];

  test('are listed by state with their causes, with masked recipients and without their texts', async () => {
    await add('waits', 'waiting');
    await add('lost', 'given-up');
    await add('done', 'sent');
    await add('back', 'sent', { bounced_at: 7, bounce_status: '5.1.1' });
    expect(await list('waiting')).toEqual([
      {
        id: 'waits',
        to: 'h***@example.test',
        subject: '件名 waits',
        attempts: 2,
        created_at: 1,
        next_attempt_at: 5,
        cause: 'EENVELOPE RCPT TO 450 4.2.1',
      },
    ]);
    expect(await list('given-up')).toMatchObject([{ id: 'lost', next_attempt_at: null }]);
    expect(await list('came-back')).toMatchObject([{ id: 'back', cause: '5.1.1' }]);
    expect((await list('sent')).map(({ id }) => id)).toEqual(['back', 'done']);
    for (const state of ['waiting', 'given-up', 'came-back', 'sent'])
      expect(JSON.stringify(await list(state))).not.toMatch(/secret-link|hana@/);
    expect((await api.get('/api/operator/mails/', member)).status).toBe(404);
  });

  test('are 200 at most', async () => {
    for (let index = 0; index < 205; index += 1) await add(`m${index}`, 'sent', { next_attempt_at: index });
    const found = await list('sent');
    expect(found).toHaveLength(200);
    expect(found[0]?.id).toBe('m204');
  });

  test('that wait can be dropped once, on record, and their text is wiped', async () => {
    await add('waits', 'waiting');
    await add('done', 'sent');
    const drop = async (id: string, caller = staff) =>
      (await api.post(`/api/operator/mails/${id}/drop/`, undefined, caller)).status;
    expect(await drop('waits', member)).toBe(404);
    expect([await drop('waits'), await drop('waits'), await drop('done'), await drop('none')]).toEqual([
      200, 404, 404, 404,
    ]);
    const { text, state, last_error } = await getRow(database, 'mail_outbox', { id: 'waits' });
    expect({ text, state, last_error }).toEqual({
      text: '',
      state: 'given-up',
      last_error: 'dropped by staff',
    });
    expect(await readActions(database)).toMatchObject([{ action: 'drop mail', subject: 'waits' }]);
  });
});
