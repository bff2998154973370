import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { classifyFailure } from '#server/platform/database/drivers/failure.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import type { Migration } from '#server/platform/database/migrations/migration.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database, OpenOptions } from '#server/platform/database/open.ts';
import { createTestApi } from '#support/http/api.ts';
import { insertRow, listRows, locateTestDatabase } from '#support/databases/databases.ts';
import { type Schema, everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const LIMITS = { statementTimeoutMs: 300, lockTimeoutMs: 200 };
const slow: Migration = {
  name: '9999-slow',
  up: async (db) => void (await sql`select pg_sleep(0.7)`.execute(db)),
};

async function withDatabase(options: Partial<OpenOptions>, work: (database: Database) => Promise<void>) {
  const { location, remove } = await locateTestDatabase('postgres');
  const database = await openDatabase(location, options);
  try {
    await work(database);
  } finally {
    await database.close();
    await remove();
  }
}

describe('PostgreSQL', () => {
  test('limits the duration of statements of the server, and not of a migration', async () => {
    await withDatabase({ migrations: [...MIGRATIONS, slow], limits: LIMITS }, async ({ db }) => {
      const error = await sql`select pg_sleep(5)`.execute(db).catch((reason: unknown) => reason);
      expect(classifyFailure(error)).toBe('busy');
    });
  });

  test('sets no limits for a read-only program, which cannot write', async () => {
    const { location, remove } = await locateTestDatabase('postgres');
    await (await openDatabase(location)).close();
    const { db, close } = await openDatabase(location, { access: 'read', limits: LIMITS });
    await sql`select pg_sleep(0.7)`.execute(db);
    await expect(insertRow({ db }, 'genres', { name: 'x' })).rejects.toThrow('read-only');
    await close();
    await remove();
  });

  test('repeats transactions and single statements after a deadlock', async () => {
    await withDatabase({}, async ({ db }) => {
      for (const name of ['a', 'b']) await insertRow({ db }, 'genres', { name });
      const attempts: string[] = [];
      const addTo = (on: Kysely<Schema>, name: string) =>
        sql`update genres set position = position + 1 where name = ${name}`.execute(on);
      let arrived = 0;
      const bothHoldOne = Promise.withResolvers<void>();
      const run = (first: string, second: string) =>
        db.transaction().execute(async (transaction: Handle) => {
          attempts.push(first);
          await addTo(transaction, first);
          if ((arrived += 1) === 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
          await addTo(transaction, second);
        });
      await Promise.all([run('a', 'b'), run('b', 'a')]);
      expect(attempts.length).toBeGreaterThan(2);
      const rows = await listRows({ db }, 'genres', {}, ['position']);
      expect(rows).toEqual([{ position: 2 }, { position: 2 }]);
    });
  });

  test('repeats a serialisation failure a few times, then reports it', async () => {
    await withDatabase({}, async ({ db }) => {
      await insertRow({ db }, 'genres', { name: 'counter' });
      const add = () =>
        db
          .transaction()
          .setIsolationLevel('serializable')
          .execute(async (transaction) => {
            const { position } = await everyTable(transaction)
              .selectFrom('genres')
              .select('position')
              .executeTakeFirstOrThrow();
            await everyTable(transaction)
              .updateTable('genres')
              .set({ position: position + 1 })
              .execute();
          });
      await Promise.all([add(), add(), add()]);
      expect(await listRows({ db }, 'genres', {}, ['position'])).toEqual([{ position: 3 }]);

      let attempts = 0;
      const hopeless = db.transaction().execute(() => {
        attempts += 1;
        return Promise.reject(Object.assign(new Error('conflict'), { code: '40001' }));
      });
      await expect(hopeless).rejects.toThrow('conflict');
      expect(attempts).toBe(5);
    });
  });

  test('does not repeat other failures', async () => {
    await withDatabase({}, async ({ db }) => {
      let attempts = 0;
      const refused = db.transaction().execute(async (transaction) => {
        attempts += 1;
        await sql`select 1 / 0`.execute(transaction);
      });
      await expect(refused).rejects.toThrow('division by zero');
      expect(attempts).toBe(1);
    });
  });

  test('answers 503 when another transaction locks a row for too long', async () => {
    await withDatabase({ limits: LIMITS }, async (database) => {
      const api = createTestApi(database);
      await database.db.transaction().execute(async (transaction) => {
        await sql`lock table contact_messages in exclusive mode`.execute(transaction);
        const response = await api.post('/api/contact/', {
          name: '花子',
          email: 'hanako@example.test',
          message: '教えてください。',
        });
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      });
    });
  });

  test('reports why a transaction failed when its connection is lost', async () => {
    await withDatabase({}, async ({ db }) => {
      const lost = db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
        await everyTable(transaction).selectFrom('genres').select('id').execute();
      });
      const error = await lost.catch((reason: unknown) => reason);
      expect(classifyFailure(error)).toBe('unavailable');
      expect(await listRows({ db }, 'genres', {}, ['id'])).toEqual([]);
    });
  });
});
