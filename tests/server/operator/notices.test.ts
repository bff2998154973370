import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { runOperator } from '#server/operator/run.ts';
import { openDatabase } from '#server/platform/database/open.ts';
import { parseSettings } from '#server/settings.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makePaper } from '#support/files/pictures.ts';

const STAFF = 'staff@example.test';

test('notices import adds a list once, and nothing of one with an invalid entry', async () => {
  const env = { DATA_DIR: await makeFolder(), OPERATOR_AS: STAFF };
  const database = await openDatabase(parseSettings(env).database);
  await createUser(database, { username: 'staff', email: STAFF, is_staff: true });
  await database.close();
  const lines: string[] = [];
  const run = async (...args: string[]) => {
    lines.length = 0;
    const add = (line: string) => void lines.push(line);
    return runOperator(['notices', ...args], env, { print: add, printError: add });
  };
  const folder = await makeFolder();
  expect(await run('import', folder)).toBe(1);
  expect(lines.join()).toContain('there is no');
  await writeFile(join(folder, 'a.png'), await makePaper(20, 10).png().toBuffer());
  const entry = { file: 'a.png', text: '春の市', seconds: 15 };
  const write = (list: unknown) => writeFile(join(folder, 'notices.json'), JSON.stringify(list));
  await write([entry, { ...entry, file: 'b.png' }, { ...entry, seconds: 99 }]);
  expect(await run('import', folder)).toBe(1);
  expect(lines).toEqual([
    'notices.json, entry 2: "b.png" does not exist',
    'notices.json, entry 3: seconds must be at most 30',
    'operator: nothing was imported',
  ]);
  expect(await run('list')).toBe(0);
  expect(lines).toEqual(['There are no notices.']);
  await write([entry, { ...entry, seconds: 20 }]);
  expect(await run('import', folder)).toBe(0);
  expect(lines).toEqual(['Imported: 2. Already listed: 0.']);
  expect(await run('import', folder)).toBe(0);
  expect(lines).toEqual(['Imported: 0. Already listed: 2.']);
  expect(await run('list')).toBe(0);
  expect(lines.join()).toContain('春の市');
});
