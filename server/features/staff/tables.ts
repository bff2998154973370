import type { Generated, Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** Actions of the staff, with person and time; written in the same transaction as the action and never changed. */
interface OperatorActionsTable {
  id: string;
  /** Null only for the first staff account, which no staff member could have created. */
  staff_id: string | null;
  /** The action, such as `approve quality check`. */
  action: string;
  /** The id of its target. */
  subject: string;
  at: number;
  note: Generated<string>;
}

interface StaffTables {
  operator_actions: OperatorActionsTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends StaffTables {}
}

type Others = ReadOnly<Pick<Schema, 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<StaffTables & Others>;
