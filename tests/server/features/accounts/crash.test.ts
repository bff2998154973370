import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/platform/database/open.ts';
import {
  addMember,
  createCountingPasswords,
  logInWith,
  readMails,
  readTokens,
  refreshWith,
} from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { locateTestDatabase } from '#support/databases/databases.ts';
import { depth, pauseBeforeKill } from '#support/depth.ts';

const LOOP = new URL('./refresh-loop.ts', import.meta.url);
const KILLS = depth(1, 8);

test('S3 a session survives kill -9 in the middle of a refresh', async () => {
  const { location, remove } = await locateTestDatabase('sqlite');
  if (location.kind !== 'sqlite') throw new Error('this is about the file');
  const database = await openDatabase(location);
  const api = createTestApi(database, { passwords: createCountingPasswords() });
  const email = 'member@example.test';
  await addMember(database, '音の人', email);
  let { refresh: token } = await logInWith(api, email);

  for (let kill = 0; kill < KILLS; kill++) {
    const child = fork(LOOP, [location.file, String(api.clock.now()), token], { stdio: 'ignore' });
    const exit = once(child, 'exit');
    let exchanges = 0;
    child.on('message', (message) => {
      token = String(message);
      exchanges += 1;
    });
    await once(child, 'message');
    await pauseBeforeKill(60);
    child.kill('SIGKILL');
    await exit;
    expect(exchanges).toBeGreaterThan(0);
    // The last token received, or the one whose answer was lost: the session continues with it.
    api.clock.advance(20_000);
    ({ refresh: token } = await readTokens(await refreshWith(api, token)));
  }
  expect(await readMails(database, email)).toEqual([]);
  await database.close();
  await remove();
});
