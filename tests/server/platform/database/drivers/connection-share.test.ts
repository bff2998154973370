import { request } from 'node:http';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { ConnectionShare, asCaller } from '#server/platform/database/drivers/connection-share.ts';
import { classifyFailure } from '#server/platform/database/drivers/failure.ts';
import { locateTestDatabase } from '#support/databases/databases.ts';
import { startHost } from '#support/http/host.ts';

/** The complete server on PostgreSQL, and two connections of another program. */
async function startOnPostgres() {
  const { location, env, remove } = await locateTestDatabase('postgres');
  onTestFinished(remove);
  const host = await startHost({ env: { ...env } });
  const connect = async () => {
    const client = new Client({ connectionString: location.kind === 'postgres' ? location.url : '' });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const other = await connect();
  const observer = await connect();
  const { port } = new URL(host.url);
  const call = (address: string, path: string, options: object = {}, body = '') =>
    new Promise<number>((resolve, reject) => {
      const from = { host: '127.0.0.1', port, localAddress: address, agent: false };
      request({ ...from, path, ...options }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      })
        .on('error', reject)
        .end(body);
    });
  /** How many connections wait for a lock. In a transaction, PostgreSQL lists only those of its first answer. */
  const countWaiting = async () => {
    const { rows } = await observer.query<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows[0]?.waiting ?? 0;
  };
  return { host, other, call, countWaiting };
}

test('P14 a caller whose calls wait for a lock leaves connections of PostgreSQL to others', async () => {
  const { host, other, call, countWaiting } = await startOnPostgres();
  const member = await createUser(host.database, { username: '波', email: 'm@example.test' });
  const headers = { authorization: `Bearer ${await host.logIn(member)}`, 'content-type': 'application/json' };
  await other.query('begin');
  await other.query('select id from users where id = $1 for update', [member]);
  // Four times the caller's share. Each call that still asks who it is from uses one of the three connections.
  const calls = Array.from({ length: 12 }, (_, index) =>
    call(
      '127.0.0.2',
      '/api/account/update-profile/',
      { method: 'PATCH', headers },
      JSON.stringify({ bio: `${index}` }),
    ),
  );
  await expect.poll(countWaiting).toBeGreaterThanOrEqual(3);
  for (let page = 1; page <= 10; page += 1) {
    expect(await call('127.0.0.3', `/api/sounds/?page=${page}`)).toBe(200);
    expect(await call('127.0.0.3', '/media/sounds/none/aaaaaaaa.mp3')).toBe(404);
  }
  expect(await countWaiting()).toBe(3);
  await other.query('rollback');
  for (const status of await Promise.all(calls)) expect([200, 429, 503]).toContain(status);
});

describe('a share of the connections', () => {
  const enter = (share: ConnectionShare, caller: string) => asCaller(caller, () => share.enter());

  test('P14 serves callers in turn, whatever one of them has waiting', async () => {
    const share = new ConnectionShare(1, 60_000);
    let leave = await enter(share, 'a');
    const served: string[] = [];
    const waiting = ['a', 'a', 'a', 'b', 'a', 'c'].map(async (caller) => {
      leave = await enter(share, caller);
      served.push(caller);
    });
    for (const one of waiting.keys()) {
      leave();
      await expect.poll(() => served.length).toBe(one + 1);
    }
    expect(served.join('')).toBe('abcaaa');
  });

  test('P14 refuses what waits too long, and more than one caller may have waiting', async () => {
    const share = new ConnectionShare(1, 1);
    await enter(share, 'a');
    await expect(enter(share, 'b').catch(classifyFailure)).resolves.toBe('busy');
    const long = new ConnectionShare(1, 60_000);
    const leave = await enter(long, 'a');
    const waiting = Array.from({ length: 500 }, async () => {
      const next = await enter(long, 'a');
      next();
    });
    await expect(enter(long, 'a').catch(classifyFailure)).resolves.toBe('busy');
    leave();
    await Promise.all(waiting);
  });
});
