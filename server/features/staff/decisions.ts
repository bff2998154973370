import type { Database } from '../../database/open.ts';

const EVERY_MS = 2_000;

/**
 * Calls `onDecision` within two seconds after the staff has decided something in another process, such as a takedown
 * by a command. Returns what ends the watch. A database that does not answer is asked again.
 */
export function watchDecisions(
  { db }: Pick<Database, 'db'>,
  onDecision: () => void,
  everyMs = EVERY_MS,
): () => void {
  let newest: string | undefined;
  let isAsking = false;

  async function look(): Promise<void> {
    const row = await db
      .selectFrom('operator_actions')
      .select('id')
      .orderBy('at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    const found = row?.id ?? '';
    if (newest !== undefined && newest !== found) onDecision();
    newest = found;
  }

  function ask(): void {
    if (isAsking) return;
    isAsking = true;
    look()
      .catch(() => undefined)
      .finally(() => (isAsking = false));
  }

  ask();
  const timer = setInterval(ask, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
