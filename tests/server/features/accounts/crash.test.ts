import { expect, test } from 'vitest';
import {
  addMember,
  createCountingPasswords,
  logInWith,
  readMails,
  readTokens,
  refreshWith,
} from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { locateTestDatabase, openLocated } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { startDoomed } from '#support/processes/doomed.ts';

const LOOP = new URL('./refresh-loop.ts', import.meta.url);
const KILLS = depth(1, 8);

test('S3 a session survives kill -9 in the middle of a refresh', async () => {
  const place = await locateTestDatabase('sqlite');
  const database = await openLocated(place);
  const api = createTestApi(database, { passwords: createCountingPasswords() });
  const email = 'member@example.test';
  await addMember(database, '音の人', email);
  let { refresh: token } = await logInWith(api, email);

  for (let round = 0; round < KILLS; round++) {
    const args = [JSON.stringify(place.location), api.clock.now(), token];
    const { child, hear, kill } = startDoomed(LOOP, args);
    let exchanges = 0;
    child.on('message', (message) => {
      token = String(message);
      exchanges += 1;
    });
    await hear();
    await kill(60);
    expect(exchanges).toBeGreaterThan(0);
    // The last token received, or the one whose answer was lost: the session continues with it.
    api.clock.advance(20_000);
    ({ refresh: token } = await readTokens(await refreshWith(api, token)));
  }
  expect(await readMails(database, email)).toEqual([]);
});
