import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ORDERINGS, PAGE_SIZE_DEFAULT, RESULTS_REACHABLE } from '../../contract/sounds/listing-limits.ts';
import { BROWSER, cpuSecondsOf, memoryMibOf, runLoad } from '../load.ts';
import { type Row, SITES, type SiteName, type Samples } from './figures.ts';
import { type SiteOptions, type Sites, startSites, toUrl } from './sites.ts';

const PAGES = 500;
const WARM_UP_SECONDS = 2;
/** By then, an idle process has returned what it does not use (server/platform/idle-memory.ts). */
const IDLE_MS = 12_000;

interface Measured {
  readonly perSec: Samples;
  /** Milliseconds of processor time for each request. */
  readonly cpuMs: Samples;
}

interface RequestOptions {
  readonly rounds: number;
  readonly seconds: number;
}

/** Requests per second on one core, and memory. The first table row is about the page cache, the others render. */
export async function measureRequests(site: SiteOptions, options: RequestOptions): Promise<Row[]> {
  const script = join(site.folder, 'pages.lua');
  let cached: Measured;
  let memory: Samples;
  let rest: Samples;
  let idle: Samples;
  let pages: string[];
  let sites = await startSites(site);
  try {
    await sleep(IDLE_MS);
    rest = readMemory(sites);
    pages = await findPages(toUrl('ours'));
    await writeFile(script, toLua(pages));
    await makeYardstick(pages);
    cached = measure(sites, options, BROWSER);
    // Fills the caches with 500 pages.
    measure(sites, { ...options, rounds: 1 }, BROWSER, script);
    memory = readMemory(sites);
    await sleep(IDLE_MS);
    idle = readMemory(sites);
  } finally {
    await sites.stop();
  }
  sites = await startSites({ ...site, env: { PAGE_CACHE_MIB: '0' } });
  try {
    await makeYardstick(pages);
    const plain = measure(sites, options, [], script);
    const compressed = measure(sites, options, BROWSER, script);
    return [
      { label: 'through the page cache, requests/s', samples: cached.perSec, compare: 'ratio' },
      toProcessorRow('processor time each, ms', cached, 3),
      {
        label: '500 pages rendered afresh, requests/s (the hand-written ones are kept)',
        samples: plain.perSec,
      },
      toProcessorRow('processor time each, ms', plain, 2),
      { label: 'the same with brotli, requests/s', samples: compressed.perSec },
      toProcessorRow('processor time each, ms', compressed, 2),
      { label: 'memory at rest, MiB', samples: rest },
      { label: 'memory after load, MiB', samples: memory },
      { label: 'memory twelve seconds later, MiB', samples: idle },
      { label: 'memory after rendering without page cache, MiB', samples: readMemory(sites) },
    ];
  } finally {
    await sites.stop();
  }
}

/** The yardstick makes and compresses a page when it is first requested. */
async function makeYardstick(pages: readonly string[]): Promise<void> {
  for (const page of pages) {
    const response = await fetch(toUrl('yardstick') + page);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the yardstick answered ${response.status} for ${page}`);
  }
}

function toProcessorRow(label: string, { cpuMs }: Measured, digits: number): Row {
  return { label, samples: cpuMs, format: (value) => value.toFixed(digits) };
}

function measure(
  { servers }: Sites,
  { rounds, seconds }: RequestOptions,
  headers: readonly string[],
  script?: string,
): Measured {
  const perSec: Record<SiteName, number[]> = { yardstick: [], ours: [], remote: [] };
  const cpuMs: Record<SiteName, number[]> = { yardstick: [], ours: [], remote: [] };
  const run = (site: SiteName, forSeconds: number) =>
    runLoad(`${toUrl(site)}/sounds`, {
      headers,
      seconds: forSeconds,
      ...(script !== undefined && { script }),
    });
  for (const site of SITES) run(site, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round += 1) {
    for (const site of SITES) {
      const before = cpuSecondsOf(servers[site]);
      const figures = run(site, seconds);
      // A reply that takes longer than two seconds counts as a time-out; it is slow, and not wrong.
      if (/Non-2xx|(?:connect|read|write) [1-9]/.test(figures.errors))
        throw new Error(`${site}: ${figures.errors}`);
      perSec[site].push(figures.perSec);
      cpuMs[site].push(((cpuSecondsOf(servers[site]) - before) / figures.count) * 1_000);
    }
  }
  return { perSec, cpuMs };
}

function readMemory({ servers }: Sites): Samples {
  const of = (site: SiteName) => [memoryMibOf(servers[site])];
  return { yardstick: of('yardstick'), ours: of('ours'), remote: of('remote') };
}

/** Addresses of 500 listings with a full page of cards; neighbours in the list share no filter if possible. */
async function findPages(site: string): Promise<string[]> {
  const found: string[] = [];
  for (const type of ['', '1', '2']) {
    for (const ai of ['', 'false']) {
      const filters = { ...(type !== '' && { type }), ...(ai !== '' && { is_ai_generated: ai }) };
      const query = new URLSearchParams(filters);
      const response = await fetch(`${site}/api/sounds/?${query.toString()}`);
      const { count = 0 } = (await response.json()) as { count?: number };
      const last = Math.floor(Math.min(count, RESULTS_REACHABLE) / PAGE_SIZE_DEFAULT);
      for (let page = 2; page <= last; page += 1) {
        for (const ordering of ORDERINGS.filter((known) => known !== 'relevance')) {
          const params = new URLSearchParams({ ...filters, ordering, page: String(page) });
          found.push(`/sounds?${params.toString()}`);
        }
      }
    }
  }
  if (found.length < PAGES) throw new Error(`only ${found.length} pages`);
  const step = Math.floor(found.length / PAGES);
  return found.filter((_, index) => index % step === 0).slice(0, PAGES);
}

/** A script for wrk that requests the paths in turn; wrk calls `init` when it knows its headers. */
function toLua(paths: readonly string[]): string {
  return `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local requests = {}
local last = 0
init = function(args)
  for i, path in ipairs(paths) do requests[i] = wrk.format('GET', path) end
end
request = function()
  last = last % #requests + 1
  return requests[last]
end
`;
}
