import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  WriteQueueError,
  classifyFailure,
  isUnusableAddress,
} from '#server/platform/database/drivers/failure.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { createTestApi } from '#support/http/api.ts';
import { listRows, openTestDatabase } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MESSAGE = { name: '山田 花子', email: 'hanako@example.test', message: '長い'.repeat(900) };

test.each([
  [{ errcode: 5 }, 'busy'],
  [{ errcode: 517 }, 'busy'],
  [{ errcode: 6 }, 'busy'],
  [{ errcode: 13 }, 'full'],
  [{ errcode: 4_874 }, 'full'],
  [{ errcode: 778 }, 'unavailable'],
  [{ errcode: 14 }, 'unavailable'],
  [{ errcode: 2_067 }, undefined],
  [{ errcode: 11 }, undefined],
  [{ code: 'ENOSPC' }, 'full'],
  [{ code: '53100' }, 'full'],
  [{ code: '40P01' }, 'conflict'],
  [{ code: '40001' }, 'conflict'],
  [{ code: '55P03' }, 'busy'],
  [{ code: '57014' }, 'busy'],
  [{ code: '57P01' }, 'unavailable'],
  [{ code: '08006' }, 'unavailable'],
  [{ code: 'ECONNREFUSED' }, 'unavailable'],
  [{ code: '23505' }, undefined],
  [{ message: 'Connection terminated unexpectedly' }, 'unavailable'],
  [{}, undefined],
])('an error with %o is %s', (fields, failure) => {
  expect(classifyFailure(Object.assign(new Error('x'), fields))).toBe(failure);
});

test('a value that is not an error has no class, and a full queue is busy', () => {
  expect(classifyFailure('ECONNREFUSED')).toBeUndefined();
  expect(classifyFailure(new WriteQueueError('x'))).toBe('busy');
});

test.each([
  ['28P01', true],
  ['3D000', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['ENOTFOUND', true],
  ['23505', false],
])('whether the address of PostgreSQL cannot be used: %s', (code, expected) => {
  expect(isUnusableAddress(Object.assign(new Error('driver'), { code }))).toBe(expected);
});

describe('a full disk', () => {
  const database = useDatabaseOnce(() => openTestDatabase('sqlite'));

  const allowPages = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(database.db);
  const send = (api: ReturnType<typeof createTestApi>) => api.post('/api/contact/', MESSAGE);

  test('answers 507 with Retry-After, changes nothing, and accepts writes once there is room', async () => {
    const api = createTestApi(database);
    await allowPages(1);
    const statuses: number[] = [];
    for (let sent = 0; sent < 40 && statuses.at(-1) !== 507; sent += 1) {
      const response = await send(api);
      statuses.push(response.status);
      if (response.status === 507) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.at(-1)).toBe(507);
    expect(api.logged.at(-1)).toMatchObject({ level: 50, failure: 'full', err: { errcode: 13 } });
    const count = async (table: 'contact_messages' | 'mail_outbox') =>
      (await everyTable(database.db).selectFrom(table).select('id').execute()).length;
    expect(await count('contact_messages')).toBe(statuses.length - 1);
    expect(await count('mail_outbox')).toBe(statuses.length - 1);

    await allowPages(1_000_000);
    expect((await send(api)).status).toBe(200);
  });

  test('ends a transaction whose caller continues after the failure: nothing is written outside it', async () => {
    await allowPages(1);
    const attempt = database.db.transaction().execute(async (transaction) => {
      await everyTable(transaction).insertInto('genres').values({ name: 'first' }).execute();
      for (let index = 0; index < 2_000; index += 1) {
        await everyTable(transaction)
          .insertInto('genres')
          .values({ name: `${index} ${'x'.repeat(1_000)}` })
          .execute()
          .catch(() => undefined);
      }
      await everyTable(transaction).insertInto('genres').values({ name: 'last' }).execute();
      throw new Error('the caller gives up');
    });
    await expect(attempt).rejects.toThrow();
    await allowPages(1_000_000);
    expect(await listRows(database, 'genres', {}, ['name'])).toEqual([]);
  });
});
