/**
 * Measures /sounds against the same page written by hand (bench/yardstick), each value in turn on both, and on our
 * page with the API in another process, or with `--against FOLDER` on that of another checkout:
 * `node bench/pairs.ts [data folder]`. The data folder is that of `npm run demo`
 * and is copied. Install Japanese fonts first: without them the browser's search for fonts takes most of the time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

if (process.argv[2] === 'yardstick') {
  const { serveYardstick } = await import('./yardstick/serve.ts');
  serveYardstick(process.argv[3] ?? '', Number(process.argv[4]));
} else await main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      /** Loads of each page. */
      runs: { type: 'string', default: '11' },
      /** Rounds of requests to each server, and how long a round takes. */
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      /** bytes, loads or requests. */
      only: { type: 'string' },
      /** Another checkout with a build of its own, in place of our page with the API in another process. */
      against: { type: 'string' },
    },
  });
  const { launchChromium } = await import('../tests/browser/support/launch.ts');
  const { toTable } = await import('./pairs/figures.ts');
  const { checkSameContent, measureLoads, measureWeights } = await import('./pairs/loads.ts');
  const { measureRequests } = await import('./pairs/requests.ts');
  const { prepareData, startSites } = await import('./pairs/sites.ts');
  // Only figures of a quiet machine can be compared.
  console.log(`load average before: ${loadavg()[0]?.toFixed(1)}\n`);
  const wants = (part: string) => values.only === undefined || values.only === part;
  const folder = await mkdtemp(join(tmpdir(), 'bench-pairs-'));
  try {
    const site = { folder, against: values.against };
    await prepareData(positionals[0] ?? 'demo-data', folder);
    const sites = await startSites(site);
    const browser = await launchChromium();
    try {
      await checkSameContent(browser);
      if (wants('bytes'))
        console.log(
          toTable(
            '`/sounds`',
            await measureWeights(browser, values.against === undefined ? 'api' : 'remote'),
            values.against,
          ),
          '\n',
        );
      if (wants('loads')) {
        const rows = await measureLoads(browser, Number(values.runs));
        console.log(toTable('`/sounds` on the slow phone', rows, values.against), '\n');
      }
    } finally {
      await browser.close();
      await sites.stop();
    }
    if (wants('requests')) {
      const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
      console.log(toTable('one core', await measureRequests(site, options), values.against));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
