import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createChangeWriter,
  deleteOldChanges,
  followChanges,
} from '#server/platform/concurrency/page-changes.ts';
import type { FollowOptions } from '#server/platform/concurrency/page-changes.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createLog } from '#server/platform/log.ts';
import {
  bothDatabases,
  insertMany,
  insertRow,
  listRows,
  makeBreakable,
} from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const POLL_MS = 10;
const log = createLog('silent', { write: () => undefined });

describe.each(bothDatabases)('changes of other processes on $name', ({ open }) => {
  async function openForTest(): Promise<Database> {
    const database = await open();
    onTestFinished(() => database.close());
    return database;
  }

  async function follow(database: Database, process: string, options: FollowOptions = {}) {
    const onChange = vi.fn();
    const end = followChanges(database, process, onChange, { pollMs: POLL_MS, ...options });
    onTestFinished(end);
    await wait(POLL_MS * 10);
    return {
      end,
      /** What was reported, at least `calls` times, and no more for a while. */
      async read(calls: number) {
        await expect.poll(() => onChange.mock.calls.length).toBeGreaterThanOrEqual(calls);
        await wait(POLL_MS * 20);
        return onChange.mock.calls.map(([tags]) => tags as readonly string[] | undefined);
      },
    };
  }

  function write(database: Database, process: string) {
    const writer = createChangeWriter(database, process, log);
    onTestFinished(() => writer.close());
    return writer;
  }

  const readRows = ({ db }: Database) =>
    everyTable(db).selectFrom('page_changes').select(['process', 'tags']).orderBy('at').execute();

  test('are reported once to every process but their own', async () => {
    const database = await openForTest();
    const [one, two] = [await follow(database, 'one'), await follow(database, 'two')];
    const writer = write(database, 'one');
    writer.announce(['listings', 'sound 1']);
    expect(await two.read(1)).toEqual([['listings', 'sound 1']]);
    writer.announce();
    expect(await two.read(2)).toEqual([['listings', 'sound 1'], undefined]);
    expect(await one.read(0)).toEqual([]);
  });

  test('become one row for a burst, and concern all pages beyond 200 tags', async () => {
    const database = await openForTest();
    const writer = write(database, 'one');
    for (let count = 0; count < 200; count += 1) writer.announce([`sound ${count}`, 'listings']);
    await writer.close();
    expect(await readRows(database)).toEqual([{ process: 'one', tags: null }]);

    const other = write(database, 'two');
    for (let count = 0; count < 50; count += 1) other.announce(['listings', `artist ${count % 2}`]);
    other.announce([]);
    await other.close();
    expect((await readRows(database)).at(-1)).toEqual({
      process: 'two',
      tags: JSON.stringify(['listings', 'artist 0', 'artist 1']),
    });
  });

  test('are written at most four times a second', async () => {
    const database = await openForTest();
    const writer = write(database, 'one');
    const startedAt = performance.now();
    while (performance.now() - startedAt < 900) {
      writer.announce(['listings']);
      await wait(5);
    }
    const { length } = await readRows(database);
    expect(length).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 250);
    expect(length).toBeGreaterThanOrEqual(2);
  });

  test('are reported when their transaction ended after that of a later one', async () => {
    const database = await openForTest();
    const row = { process: 'one', tags: '["late"]' };
    const add = (id: string, at: number) => insertRow(database, 'page_changes', { ...row, id, at });
    const { read } = await follow(database, 'two');
    await add('a', Date.now() + 1_000);
    await read(1);
    await add('b', Date.now() - 20_000);
    expect(await read(2)).toEqual([['late'], ['late']]);
  });

  test('concern all pages when there are too many to read', async () => {
    const database = await openForTest();
    const { read } = await follow(database, 'two');
    const at = Date.now();
    const rows = Array.from({ length: 2_100 }, (_, index) => ({
      id: String(index),
      at,
      process: 'one',
      tags: '["listings"]',
    }));
    await insertMany(database, 'page_changes', rows);
    expect(await read(1)).toContain(undefined);
  });

  test('are assumed for all pages after the database did not answer for a while', async () => {
    const database = await openForTest();
    const { state, database: reached } = makeBreakable(database);
    const { read } = await follow(reached, 'two', { silenceMs: 300 });
    state.isDown = true;
    await wait(100);
    state.isDown = false;
    expect(await read(0)).toEqual([]);
    state.isDown = true;
    await wait(400);
    state.isDown = false;
    expect(await read(1)).toEqual([undefined]);
  });

  test('are announced again until the database takes them', async () => {
    const database = await openForTest();
    const { state, database: reached } = makeBreakable(database);
    state.isDown = true;
    const writer = write(reached, 'one');
    writer.announce(['sound 1']);
    await wait(100);
    writer.announce(['sound 2']);
    state.isDown = false;
    await expect.poll(() => readRows(database), { timeout: 3_000 }).toHaveLength(1);
    expect(await readRows(database)).toEqual([{ process: 'one', tags: '["sound 1","sound 2"]' }]);
  });

  test('are deleted after an hour, and not reported after the end', async () => {
    const database = await openForTest();
    const { end, read } = await follow(database, 'two');
    end();
    const add = (id: string, at: number) =>
      insertRow(database, 'page_changes', { id, at, process: 'one', tags: null });
    await add('old', Date.now() - 3_700_000);
    await add('new', Date.now());
    await deleteOldChanges(database);
    expect(await listRows(database, 'page_changes', {}, ['id'])).toEqual([{ id: 'new' }]);
    expect(await read(0)).toEqual([]);
  });
});
