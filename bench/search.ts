import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../server/schema/open.ts';
import { rateSearch, summarise } from '../tests/server/features/catalogue/rate-search.ts';

/**
 * Rates search by the golden queries: `npm run bench -- search [--each]` prints, for both halves and by kind of query, the
 * share with a good sound among the first ten, the mean reciprocal rank and the share without results; with `--each` also
 * every tuned query that is not a hit. On SQLite; both databases give the same answers.
 */
const folder = await mkdtemp(join(tmpdir(), 'search-quality-'));
const database = await openDatabase({ kind: 'sqlite', file: join(folder, 'site.sqlite') });
const rated = await rateSearch(database);
await database.close();
await rm(folder, { recursive: true });
if (process.argv.includes('--each')) {
  for (const { kind, query, found, relevant, half, reciprocalRank } of rated) {
    if (half !== 'tuned' || reciprocalRank > 0.34) continue;
    const wanted = [...relevant].map((judged) => judged.join(':'));
    console.log(
      `${reciprocalRank.toFixed(2)} ${kind}\t${query}\t${found.join(' ')}\t← ${wanted.slice(0, 12).join(' ')}`,
    );
  }
}
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
for (const half of ['tuned', 'reported'] as const) {
  console.log(`\n| ${half} | queries | hit@10 | MRR | nothing |\n|---|---:|---:|---:|---:|`);
  for (const [kind, { queries, hits, reciprocalRank, nothing }] of summarise(rated, half))
    console.log(
      `| ${kind} | ${queries} | ${percent(hits)} | ${reciprocalRank.toFixed(2)} | ${percent(nothing)} |`,
    );
}
