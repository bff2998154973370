import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../server/platform/database/database.ts';
import { rateSearch, summarise } from '../tests/server/features/catalogue/rate-search.ts';

/**
 * Rates search by the golden queries: `node bench/search-quality.ts [--each]` prints nDCG@10 and the share of queries
 * without results by kind of query; with `--each` also every query that is not perfect. On SQLite; both databases give the same answers.
 */
const folder = await mkdtemp(join(tmpdir(), 'search-quality-'));
const database = await openDatabase({ kind: 'sqlite', file: join(folder, 'site.sqlite') });
const rated = await rateSearch(database);
await database.close();
await rm(folder, { recursive: true });
if (process.argv.includes('--each')) {
  for (const { kind, query, ndcg, found, relevant } of rated.filter((each) => each.ndcg < 1)) {
    const graded = found.slice(0, 10).map((key) => `${key}:${relevant[key] ?? 0}`);
    const missing = Object.entries(relevant).filter(([key]) => !found.slice(0, 10).includes(key));
    console.log(`${ndcg.toFixed(2)} ${kind} ${query}\n     found ${graded.join(' ')}`);
    if (missing.length > 0) console.log(`     missing ${missing.map((each) => each.join(':')).join(' ')}`);
  }
}
console.log('| kind | nDCG@10 | without results |\n|---|---:|---:|');
for (const [kind, { ndcg, nothing }] of summarise(rated))
  console.log(`| ${kind} | ${ndcg.toFixed(3)} | ${(nothing * 100).toFixed(0)} % |`);
