import { flushCompileCache } from 'node:module';
import { createCounter } from '#server/features/statistics/counter.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { createTestApi } from '#support/http/api.ts';

/** A process in which a sound is played by one network after the other. It tells its parent what is stored. */
// For the next process: this one is killed before Node would write the compile cache.
flushCompileCache();
const [place = '', soundId = '', round = '0'] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const { deps } = createTestApi(database);
for (let step = 0; ; step += 1) {
  const backgroundJobs = createBackgroundJobs();
  const count = createCounter({ ...deps, backgroundJobs });
  const network = `${round} ${step}`;
  count({
    soundId,
    source: 'search',
    word: '雨',
    origin: { network, provider: network },
    memberId: null,
    atMs: Date.UTC(2026, 3, 1),
  });
  await backgroundJobs.close();
  process.send?.(['stored', step]);
}
