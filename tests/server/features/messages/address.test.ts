import { beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import { readMails, toTestHash } from '#support/members/accounts.ts';
import { ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { patchProfile, readUser } from '#support/members/profiles.ts';

const DAY_MS = 86_400_000;

describe.each(ruleDatabases)('an address for messages on $name', ({ open }) => {
  const { database, api } = useFreshApi(open);
  let serial = 0;
  let userId: string;
  let username: string;
  let email: string;
  let wanted: string;

  beforeEach(async () => {
    serial += 1;
    username = `artist-${serial}`;
    email = `${username}@example.test`;
    wanted = `letters-${serial}@example.test`;
    userId = await createUser(database, {
      username,
      email,
      password_hash: toTestHash('x'),
      is_verified: true,
    });
  });

  const patch = async (message_email: string) => {
    api.clock.advance(1_000);
    return patchProfile(api, userId, { message_email });
  };
  const profile = () => api.json('/api/account/profile/', userId);
  const write = () =>
    api.post('/api/messages/send/', { artist_username: username, text: 'こんにちは', recipient_email: '•' });
  const subjects = async (to: string) => (await readMails(database, to)).map(({ subject }) => subject);
  const confirm = async (token: string | undefined, id = userId) =>
    api.post('/api/account/confirm-message-email/', { token }, id);
  async function readToken(): Promise<string | undefined> {
    const text = (await readMails(database, wanted)).at(-1)?.text ?? '';
    return /[?&]message_email_token=([\w-]{43})$/m.exec(text)?.[1];
  }

  test('receives only the request to confirm it, and the artist takes no messages yet', async () => {
    const response = await patch(wanted);
    expect(await response.json()).toMatchObject({ message_email: '', pending_message_email: wanted });
    expect((await api.json(`/api/account/artist/${username}/`)).message_email).toBe('');
    expect((await write()).status).toBe(400);
    expect(await subjects(wanted)).toEqual(['【Otoichi】メッセージの宛先の確認']);
    // The mail contains no text chosen by the member.
    expect((await readMails(database, wanted))[0]?.text).not.toContain(username);
    const [notice] = await readMails(database, email);
    expect(notice?.text).toContain(`メッセージの宛先（l***@example.test）`);
    expect(notice?.text).toContain('/undo?token=');
  });

  test('receives messages once its logged-in owner has opened the link', async () => {
    await patch(wanted);
    const changes = api.countChanges();
    const token = await readToken();
    expect((await api.post('/api/account/confirm-message-email/', { token })).status).toBe(401);
    const stranger = await createUser(database, {
      username: `s-${serial}`,
      email: `s-${serial}@example.test`,
    });
    expect((await confirm(token, stranger)).status).toBe(400);
    expect((await confirm(token)).status).toBe(200);
    expect(api.countChanges()).toBe(changes + 1);
    expect((await api.json(`/api/account/artist/${username}/`)).message_email).not.toBe('');
    expect((await write()).status).toBe(200);
    expect(await subjects(wanted)).toContain('【Otoichi】メッセージが届きました');
    expect((await confirm(token)).status).toBe(400);
    const now = await profile();
    expect([now.message_email, now.pending_message_email]).toEqual([wanted, undefined]);
  });

  test('needs no confirmation when it is the account’s address', async () => {
    expect(await (await patch(email)).json()).toMatchObject({ message_email: email });
    expect((await write()).status).toBe(200);
    expect(await subjects(email)).toContain('【Otoichi】メッセージが届きました');
  });

  test('stays in use until its replacement is confirmed; entering it again cancels the change', async () => {
    await patch(email);
    await patch(wanted);
    const token = await readToken();
    await write();
    expect(await subjects(email)).toContain('【Otoichi】メッセージが届きました');
    await patch(email);
    expect(await profile()).not.toHaveProperty('pending_message_email');
    expect((await confirm(token)).status).toBe(400);
  });

  test('requested again gets another link and no second notice; the earlier link ends', async () => {
    await patch(wanted);
    const first = await readToken();
    await patch(wanted);
    expect(await subjects(wanted)).toHaveLength(2);
    expect(await subjects(email)).toHaveLength(1);
    expect((await confirm(first)).status).toBe(400);
    expect((await confirm(await readToken())).status).toBe(200);
  });

  test('requested again does not extend the waiting time', async () => {
    await patch(wanted);
    const endsAt = api.clock.now() + DAY_MS;
    api.clock.advance(DAY_MS - 60_000);
    await patch(wanted);
    expect((await readMails(database, wanted)).at(-1)?.text).toContain('2026年4月2日 9:00（日本時間）まで');
    api.clock.advance(endsAt - api.clock.now());
    expect(await profile()).not.toHaveProperty('pending_message_email');
    expect((await confirm(await readToken())).status).toBe(400);
  });

  test('cannot be confirmed while the member is blocked', async () => {
    await patch(wanted);
    const token = await readToken();
    await updateRows(database, 'users', { is_blocked: 1 }, { id: userId });
    expect((await confirm(token)).status).toBe(403);
    expect((await readUser(database, userId)).message_email).not.toBe(wanted);
    await updateRows(database, 'users', { is_blocked: 0 }, { id: userId });
    expect((await confirm(token)).status).toBe(200);
  });

  test('has a link for 24 hours, after which its request is deleted', async () => {
    await patch(wanted);
    const token = await readToken();
    api.clock.advance(DAY_MS);
    expect(await profile()).not.toHaveProperty('pending_message_email');
    expect((await confirm(token)).status).toBe(400);
  });
});
