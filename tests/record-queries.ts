/**
 * Records the queries of this version in tests/fixtures/releases, from the API tests on both databases: run it once for
 * each release (npm run record-queries). It takes about ten minutes on two cores. With a folder as its argument, it
 * only merges what was recorded there.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVersion } from '#server/platform/version.ts';
import type { DialectName } from '#server/platform/database/migrations/migration.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { startPostgres } from '#support/databases/postgres-server.ts';
import { findUnusable } from '#support/databases/query-checks.ts';
import { compressRelease, toReleaseFile } from '#support/databases/recorded-queries.ts';

const folder = process.argv[2] ?? record();
const found: Record<DialectName, Set<string>> = { sqlite: new Set(), postgres: new Set() };
for (const name of readdirSync(folder)) {
  for (const line of readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')) {
    const [dialect, query] = JSON.parse(line) as [DialectName, string];
    found[dialect].add(query);
  }
}

const server = await startPostgres();
const queries = {
  sqlite: await keepUsable({ kind: 'sqlite', file: join(mkdtempSync(join(tmpdir(), 'recorded-')), 'a') }),
  postgres: await keepUsable({ kind: 'postgres', url: server.adminUrl }),
};
await server.stop();
const release = { version: readVersion(), migrations: MIGRATIONS.map(({ name }) => name), queries };
const bytes = compressRelease(release);
writeFileSync(toReleaseFile(release.version), bytes);
const { sqlite, postgres } = queries;
console.info(
  `${sqlite.length} queries on SQLite, ${postgres.length} on PostgreSQL, ${bytes.byteLength} bytes`,
);

function record(): string {
  const recorded = mkdtempSync(join(tmpdir(), 'queries-'));
  const { status } = spawnSync('vitest', ['run', '--project', 'api'], {
    stdio: 'inherit',
    env: { ...process.env, RECORD_QUERIES: recorded },
  });
  if (status !== 0)
    throw new Error(`a test failed; to use what was recorded: npm run record-queries ${recorded}`);
  return recorded;
}

/** Some tests use tables of their own. */
async function keepUsable(location: DatabaseLocation): Promise<string[]> {
  const database = await openDatabase(location);
  const all = [...found[location.kind]].sort();
  const unusable = await findUnusable(location, all);
  await database.close();
  for (const { query, reason } of unusable) console.info(`left out (${reason}): ${query}`);
  const left = new Set(unusable.map(({ query }) => query));
  return all.filter((query) => !left.has(query));
}
