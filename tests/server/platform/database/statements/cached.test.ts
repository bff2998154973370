import { describe, expect, onTestFinished, test } from 'vitest';
import { countCached, invalidateCache, cached } from '#server/platform/database/statements/cached.ts';
import { announcePicture } from '#server/features/artists/changes.ts';
import { findPage, savePage } from '#server/features/site/service.ts';
import { openTestDatabase } from '#support/databases/databases.ts';

async function open() {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  return database;
}

describe('the short-lived cache', () => {
  test('stays bounded when many missing pages are requested', async () => {
    const database = await open();
    for (let index = 0; index < 5_000; index += 1) await findPage(database, `nope-${index}`);
    expect(countCached(database)).toBe(0);
    for (let index = 0; index < 5_000; index += 1) {
      await cached(database, `page ${index}`, () => Promise.resolve(index));
    }
    expect(countCached(database)).toBeLessThanOrEqual(200);
  });

  test('is shared by concurrent requests, and reloaded after a change', async () => {
    const database = await open();
    let loads = 0;
    const load = () => cached(database, 'a', () => Promise.resolve((loads += 1)));
    expect(await Promise.all([load(), load()])).toEqual([1, 1]);
    invalidateCache(database, 'b');
    expect(await load()).toBe(1);
    invalidateCache(database, 'a');
    expect(await load()).toBe(2);
    await savePage(database, { slug: 'new', title: '新', order: 1, body: '' });
    expect(await load()).toBe(3);
  });

  test('is reloaded after a picture change of an artist whose name cannot be read', async () => {
    const database = await open();
    let loads = 0;
    const load = () => cached(database, 'artists', () => Promise.resolve((loads += 1)));
    await load();
    await announcePicture({ database, catalogueChanged: () => undefined }, 'nobody');
    expect(await load()).toBe(2);
  });

  test('does not keep failures, nor absences after a change', async () => {
    const database = await open();
    await expect(cached(database, 'a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(countCached(database)).toBe(0);
    expect(await findPage(database, 'soon')).toBeUndefined();
    await savePage(database, { slug: 'soon', title: '新', order: 1, body: '' });
    expect(await findPage(database, 'soon')).toMatchObject({ title: '新' });
  });
});
