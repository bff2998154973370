import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { StaffActionName } from '../../../contract/operator/action-texts.ts';

/** Whether `action` is on record for the subject, and the newer of it and of `undo`. */
export function wasLast(
  action: StaffActionName,
  undo: StaffActionName,
  subject: string,
): RawBuilder<boolean> {
  return sql<boolean>`(select action from operator_actions
    where subject = ${sql.ref(subject)} and action in (${sql.lit(action)}, ${sql.lit(undo)})
    order by at desc, id desc limit 1) = ${sql.lit(action)}`;
}
