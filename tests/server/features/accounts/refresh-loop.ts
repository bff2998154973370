import { flushCompileCache } from 'node:module';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { createTestApi } from '#support/http/api.ts';
import { createCountingPasswords, readTokens, refreshWith } from '#support/members/accounts.ts';

/** A process that refreshes a token in a loop and reports each new token to its parent. */
// For the next process: this one is killed before Node would write the compile cache.
flushCompileCache();
const [place = '', startMs = '', first = ''] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const api = createTestApi(database, { passwords: createCountingPasswords() });
api.clock.advance(Number(startMs) - api.clock.now());
let token = first;
for (;;) {
  ({ refresh: token } = await readTokens(await refreshWith(api, token)));
  process.send?.(token);
}
