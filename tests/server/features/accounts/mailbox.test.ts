import { describe, expect, test } from 'vitest';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { createUser, toMailboxKey } from '#server/features/accounts/users.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { addMember, createCountingPasswords, from, tryToLogIn } from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { patchProfile } from '#support/members/profiles.ts';
import { openReportPlace } from '#support/members/report-place.ts';
import { sendReport } from '#support/members/reports.ts';
import { listRows, ruleDatabases } from '#support/databases/databases.ts';

test('the mailbox of an address is the address without its tag, in any spelling', () => {
  for (const email of [
    'user+tag@example.test',
    'User+a+b@EXAMPLE.test',
    'ｕｓｅｒ＋x@example.test',
    'user+@example.test',
  ])
    expect(toMailboxKey(email)).toBe('user@example.test');
  expect(toMailboxKey('us.er@example.test')).toBe('us.er@example.test');
  expect(toMailboxKey('user-tag@example.test')).toBe('user-tag@example.test');
  expect(toMailboxKey('+user@example.test')).toBe('+user@example.test');
  expect(toMailboxKey('user@ex+ample.test')).toBe('user@ex+ample.test');
});

describe.each(ruleDatabases)('W24 a mailbox with any number of tags on $name', ({ open }) => {
  const database = useDatabaseOnce(open);
  let serial = 0;

  /** A new mailbox, an API with limits, and the addresses that got mails in the mailbox. */
  function openMailbox() {
    serial += 1;
    const mailbox = `box-${serial}`;
    const api = createTestApi(database, {
      passwords: createCountingPasswords(),
      rateLimits: createRateLimits(database),
    });
    const tagged = (tag: number) => `${mailbox}+${tag}@example.test`;
    const listMailed = async () => {
      const rows = await listRows(database, 'mail_outbox', {}, ['to_address']);
      return rows.map(({ to_address }) => to_address).filter((to) => to.startsWith(`${mailbox}+`));
    };
    return { api, tagged, listMailed, network: (index: number) => from(`198.51.${index}.${serial}`) };
  }

  test('gets five confirmation mails an hour, each at the address that was entered', async () => {
    const { api, tagged, listMailed, network } = openMailbox();
    for (let index = 0; index < 8; index += 1) {
      const body = { username: `札 ${serial} ${index}番`, email: tagged(index), password: 'a long password' };
      expect((await api.post('/api/account/register/', body, network(index))).status).toBe(200);
    }
    expect((await listMailed()).sort()).toEqual([0, 1, 2, 3, 4].map(tagged));
    // Anyone else still registers.
    const other = { username: `別の ${serial}番`, email: `x${tagged(0)}`, password: 'a long password' };
    await api.post('/api/account/register/', other, network(9));
    expect(await listRows(database, 'mail_outbox', { to_address: `x${tagged(0)}` }, ['id'])).toHaveLength(1);
  });

  test('gets three further confirmation mails an hour from log-ins', async () => {
    const { api, tagged, listMailed, network } = openMailbox();
    const open = createTestApi(database, { passwords: createCountingPasswords() });
    for (let index = 0; index < 6; index += 1) {
      const body = { username: `待 ${serial} ${index}番`, email: tagged(index), password: 'a long password' };
      await open.post('/api/account/register/', body);
      await tryToLogIn(api, tagged(index), 'a long password', network(index));
    }
    expect(await listMailed()).toHaveLength(6 + 3);
  });

  test('gets five reset mails an hour, for any number of its accounts', async () => {
    const { api, tagged, listMailed, network } = openMailbox();
    for (let index = 0; index < 8; index += 1) {
      await addMember(database, `忘 ${serial} ${index}番`, tagged(index));
      expect((await api.post('/api/forgot-password/', { email: tagged(index) }, network(index))).status).toBe(
        200,
      );
    }
    expect(await listMailed()).toHaveLength(5);
  });

  test.each(['email', 'message_email'])('gets five mails about a changed %s an hour', async (field) => {
    const { api, tagged, listMailed } = openMailbox();
    for (let index = 0; index < 8; index += 1) {
      const name = `変 ${serial} ${index}番`;
      const member = await createUser(database, { username: name, email: `${serial}-${index}@example.test` });
      const response = await patchProfile(api, member, { [field]: tagged(index) });
      // The caller sees no difference.
      const pending = ((await response.json()) as Record<string, string>)[`pending_${field}`];
      expect([response.status, pending]).toEqual([200, tagged(index)]);
    }
    expect(await listMailed()).toHaveLength(5);
  });

  test('reports twenty sounds a day', async () => {
    const { api, tagged, network } = openMailbox();
    const { sound } = await openReportPlace(database);
    const statuses: number[] = [];
    for (let index = 0; index < 21; index += 1)
      statuses.push((await sendReport(api, sound, { email: tagged(index) }, network(index))).status);
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  });

  test('gets twenty messages of visitors an hour, for any number of artists', async () => {
    const { api, tagged, network } = openMailbox();
    const statuses: number[] = [];
    for (let index = 0; index < 21; index += 1) {
      const artist_username = `作 ${serial} ${index}番`;
      await createUser(database, {
        username: artist_username,
        email: `a-${serial}-${index}@example.test`,
        message_email: tagged(index),
        is_verified: true,
      });
      const message = { artist_username, text: 'こんにちは' };
      statuses.push((await api.post('/api/messages/send/', message, network(index))).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  });
});
