import type { Kysely } from 'kysely';
import { randomId } from '../database/random-id.ts';
import type { Schema } from '../database/schema.ts';

export interface OperatorAction {
  /** Who did it; null for the first staff account alone. */
  readonly staffId: string | null;
  /** What was done, such as `approve quality check`. */
  readonly action: string;
  /** The id of what it was done to. */
  readonly subject: string;
  readonly note?: string;
}

/** Puts on record what the staff has done; in the transaction of what was done, where there is one. */
export async function recordAction(
  db: Kysely<Schema>,
  { staffId, action, subject, note = '' }: OperatorAction,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('operator_actions')
    .values({ id: randomId(), staff_id: staffId, action, subject, at: nowMs, note })
    .execute();
}
