import { type KyselyPlugin, type RootOperationNode, CompiledQuery, createQueryId } from 'kysely';
import type { Database } from '#server/platform/database/open.ts';

/** The plans of the queries that `run` makes, after the statistics of `table` were taken. */
export async function readPlans(
  database: Database,
  table: string,
  run: (watched: Database) => Promise<unknown>,
): Promise<readonly string[]> {
  if (database.dialect === 'postgres') await database.db.executeQuery(CompiledQuery.raw(`analyze ${table}`));
  const nodes: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run({ ...database, db: database.db.withPlugin(recorder) });
  const plans: string[] = [];
  for (const node of nodes) {
    const query = database.db.getExecutor().compileQuery(node, createQueryId());
    const explain = database.dialect === 'postgres' ? 'explain' : 'explain query plan';
    const raw = CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters]);
    const { rows } = await database.db.executeQuery(raw);
    plans.push(rows.flatMap((row) => Object.values(row as object)).join('\n'));
  }
  return plans;
}
