import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteFile } from '#server/platform/database/drivers/sqlite.ts';
import { makeFolder } from '#support/files/folders.ts';

test('every commit is on the disk before it returns', async () => {
  const { writer, reader } = openSqliteFile(join(await makeFolder(), 'site.sqlite'));
  onTestFinished(() => {
    reader.close();
    writer?.close();
  });
  const read = (pragma: string) => Object.values(writer?.prepare(`pragma ${pragma}`).get() ?? {});
  expect(read('journal_mode')).toEqual(['wal']);
  const full = 2;
  expect(read('synchronous')).toEqual([full]);
});
