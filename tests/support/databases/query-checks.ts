import { DatabaseSync } from 'node:sqlite';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { withClient } from './postgres-server.ts';

export interface UnusableQuery {
  readonly query: string;
  readonly reason: string;
}

/** The queries that cannot be planned on the tables of a database. */
export async function findUnusable(
  location: DatabaseLocation,
  queries: readonly string[],
): Promise<UnusableQuery[]> {
  return location.kind === 'sqlite'
    ? prepareAll(location.file, queries)
    : withClient(location.url, async (client) => {
        const unusable: UnusableQuery[] = [];
        // Also finds the index of each `on conflict`, which preparation does not.
        await client.query('set plan_cache_mode = force_generic_plan');
        for (const query of queries) {
          try {
            await client.query(`prepare recorded as ${query}`);
            const { rows } = await client.query<{ count: number }>(
              "select cardinality(parameter_types) as count from pg_prepared_statements where name = 'recorded'",
            );
            const values = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null').join(', ');
            await client.query(`explain execute recorded${values && `(${values})`}`);
          } catch (error) {
            unusable.push({ query, reason: toReason(error) });
          }
          await client.query('deallocate all');
        }
        return unusable;
      });
}

function prepareAll(file: string, queries: readonly string[]): UnusableQuery[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return queries.flatMap((query) => {
      try {
        database.prepare(query);
        return [];
      } catch (error) {
        return [{ query, reason: toReason(error) }];
      }
    });
  } finally {
    database.close();
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
