/**
 * Measures what the most expensive searches cost, and how one address that sends them over eight connections affects the
 * others: `node bench/attacks/searches.ts [DATA_DIR]`, with a folder of `npm run demo`.
 */
import { openHost } from '../../server/host.ts';
import { createLog } from '../../server/platform/log.ts';
import { parseSettings } from '../../server/settings.ts';
import { measureProcessorMs } from '../../tests/support/processes/processor-time.ts';
import { attackServer } from './pages.ts';
import { SEARCHES, fillIn } from './random-searches.ts';

const QUERIES = 40;

/** Prints the figures of each kind of search. */
export async function attackSearches(dataDir = 'demo-data'): Promise<void> {
  await measureEach(dataDir);
  for (const name of ['100 kana', '100 kanji', '16 words'])
    await attackServer(dataDir, 8, `/api/sounds/?search=${SEARCHES[name] ?? ''}`);
}

/** The processor time of the main thread, one query after the other. */
async function measureEach(dataDir: string): Promise<void> {
  const log = createLog('fatal', { write: () => undefined });
  const output = { log, writeLine: () => undefined, flush: () => Promise.resolve(true) };
  const host = await openHost(parseSettings({ DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off' }), output);
  try {
    console.log('milliseconds of the main thread, p50 / p95 / most:');
    for (const [name, search] of Object.entries(SEARCHES)) {
      const ask = async (path: string) => {
        const url = `http://localhost${path}?search=${encodeURIComponent(fillIn(search))}`;
        await (await host.locals.fetchApi?.(url))?.text();
      };
      for (const path of ['/api/sounds/', '/api/sounds/fact-counts/']) {
        const times: number[] = [];
        for (let query = 0; query < QUERIES; query += 1)
          times.push(await measureProcessorMs(() => ask(path)));
        times.splice(0, 5);
        times.sort((a, b) => a - b);
        const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
        console.log(`  ${name}, ${path}: ${at(0.5)} / ${at(0.95)} / ${at(1)}`);
      }
    }
  } finally {
    await host.close();
  }
}

if (import.meta.main) await attackSearches(process.argv[2]);
