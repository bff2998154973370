import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { addNotice } from '#server/features/notices/notices.ts';
import { runOperator } from '#server/operator/run.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { openDatabase } from '#server/platform/database/open.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { parseSettings } from '#server/settings.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makePaper } from '#support/files/pictures.ts';

test('notices list shows them', async () => {
  const env = { DATA_DIR: await makeFolder() };
  const settings = parseSettings(env);
  const lines: string[] = [];
  const list = async () => {
    lines.length = 0;
    const add = (line: string) => void lines.push(line);
    expect(await runOperator(['notices', 'list'], env, { print: add, printError: add })).toBe(0);
    return lines.join();
  };
  const database = await openDatabase(settings.database);
  expect(await list()).toBe('None.');
  const staff = await createUser(database, { username: 'staff', email: 's@example.test', is_staff: true });
  const deps = { database, storage: await openStorage(settings.storage), clock: systemClock };
  const path = join(env.DATA_DIR, 'a.png');
  await writeFile(path, await makePaper(20, 10).png().toBuffer());
  const fields = { text: '春の市', link: '', seconds: 15, from: '', until: '' };
  await addNotice(deps, staff, fields, { file: { path, filename: 'a.png' } });
  await database.close();
  expect(await list()).toContain('春の市');
});
