import { expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { PASSWORD } from '#support/members/accounts.ts';
import { startHost } from '#support/http/host.ts';
import { deleteRows, updateRows } from '#support/databases/databases.ts';

const EMAIL = 'staff@example.test';

/** A host with a staff account, and the cookies of its log-in. */
async function startWithStaff() {
  const host = await startHost();
  const password_hash = await hashPassword(PASSWORD);
  const staff = await createUser(host.database, {
    username: '運営',
    email: EMAIL,
    password_hash,
    is_staff: true,
  });
  await createUser(host.database, { username: '人', email: 'member@example.test', password_hash });
  const logIn = async (email: string) =>
    fetch(`${host.url}/api/account/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
  const readCookie = (response: Response) =>
    response.headers.getSetCookie().find((line) => line.startsWith('console='));
  const open = async (cookie: string, path = '/operator') =>
    (await fetch(host.url + path, { headers: { cookie } })).headers.get('x-rendered');
  return { ...host, staff, logIn, readCookie, open };
}

test('the pages of the console exist only for a browser in which the staff is logged in', async () => {
  const { database, staff, logIn, readCookie, open } = await startWithStaff();
  const set = readCookie(await logIn(EMAIL)) ?? expect.unreachable('no cookie');
  expect(set).toMatch(/; Path=\/operator; HttpOnly; SameSite=Lax$/);
  expect(readCookie(await logIn('member@example.test'))).toBeUndefined();
  const [cookie = ''] = set.split(';');

  expect(await open(cookie)).toBe('/operator');
  expect(await open(cookie, '/operator/')).toBe('/operator');
  expect(await open(cookie, '/operator/nothing')).toBe('/404');
  for (const other of [
    '',
    'console=',
    'console=a.b.c',
    `${cookie}x`,
    cookie.replace(/\.[^.]+\./, '.other.'),
  ]) {
    expect([other, await open(other)]).toEqual([other, '/404']);
  }
  // S12: a sibling host has added cookies of this name, for a longer path and for the same one.
  const tossed = `console=x; ${cookie.replace(/\w$/, '!')}; ${cookie}; console=a.b.c`;
  expect(await open(tossed)).toBe('/operator');
  // The answer to one visitor is not the answer to the next.
  expect(await open(cookie)).toBe('/operator');

  await updateRows(database, 'users', { is_blocked: 1 }, { id: staff });
  expect(await open(cookie)).toBe('/404');
  await updateRows(database, 'users', { is_blocked: 0, is_staff: 0 }, { id: staff });
  expect(await open(cookie)).toBe('/404');
  await updateRows(database, 'users', { is_staff: 1 }, { id: staff });
  expect(await open(cookie)).toBe('/operator');
  await deleteRows(database, 'sessions');
  expect(await open(cookie)).toBe('/404');
});

test('a renewed token sets the cookie again', async () => {
  const { url, logIn, readCookie, open } = await startWithStaff();
  const { refresh } = (await (await logIn(EMAIL)).json()) as { refresh: string };
  const renewed = await fetch(`${url}/api/account/token/refresh/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh }),
  });
  expect(renewed.status).toBe(200);
  const [cookie = ''] = (readCookie(renewed) ?? '').split(';');
  expect(await open(cookie)).toBe('/operator');
});
