import type { Generated, Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

/** Visitors' messages to the operator. */
export interface ContactMessagesTable {
  id: string;
  name: string;
  email: string;
  message: string;
  /** The member who wrote it; null for a visitor. */
  user_id: string | null;
  created_at: number;
  /** 0: it waits for the mail about several messages. */
  is_mailed: Generated<Flag>;
}

interface MessageTables {
  contact_messages: ContactMessagesTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends MessageTables {}
}

type Others = ReadOnly<Pick<Schema, 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<MessageTables & Others>;
