import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../../server/platform/database/open.ts';
import { createTestApi } from '../../support/api.ts';
import { createCountingPasswords, readTokens, refreshWith } from '../../support/accounts.ts';

/** A process that exchanges a refresh token over and over, and tells its parent each one it got. */
// For the next process: this one is killed before Node would write it.
flushCompileCache();
const [file = '', startMs = '', first = ''] = process.argv.slice(2);
const database = await openDatabase({ kind: 'sqlite', file });
const api = createTestApi(database, { passwords: createCountingPasswords() });
api.clock.advance(Number(startMs) - api.clock.now());
let token = first;
for (;;) {
  ({ refresh: token } = await readTokens(await refreshWith(api, token)));
  process.send?.(token);
}
