import type { Kysely } from 'kysely';
import type { Database, Schema } from '../../platform/database/database.ts';

const EVERY_MS = 2_000;
/** A decision may become visible this long after one with a later time: transactions overlap, and clocks differ. */
const OVERLAP_MS = 60_000;

/**
 * Calls `onDecision` within two seconds after the staff has made a decision in another process, such as a takedown by a
 * command; also for decisions of this process. Returns a function that stops watching. Retries when the database does
 * not answer.
 */
export function watchDecisions(
  { db }: Pick<Database, 'db'>,
  onDecision: () => void,
  everyMs = EVERY_MS,
): () => void {
  let seen: string | undefined;
  let isAsking = false;

  async function checkDecisions(): Promise<void> {
    const found = await readState(db);
    if (seen !== undefined && seen !== found) onDecision();
    seen = found;
  }

  function startCheck(): void {
    if (isAsking) return;
    isAsking = true;
    checkDecisions()
      .catch(() => undefined)
      .finally(() => (isAsking = false));
  }

  startCheck();
  const timer = setInterval(startCheck, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * A text that changes with each decision: the newest time, and the number of decisions up to `OVERLAP_MS` before it.
 * Decisions are never deleted, so the number grows even if the newest time stays the same.
 */
async function readState(db: Kysely<Schema>): Promise<string> {
  const { newest, decisions } = await db
    .selectFrom('operator_actions')
    .select(({ fn }) => [fn.max('at').as('newest'), fn.countAll().as('decisions')])
    .where('at', '>=', (query) =>
      query
        .selectFrom('operator_actions')
        .select(({ eb, fn }) => eb(fn.max('at'), '-', OVERLAP_MS).as('since')),
    )
    .executeTakeFirstOrThrow();
  return `${newest} ${decisions}`;
}
