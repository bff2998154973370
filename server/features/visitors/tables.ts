import type { Kysely } from 'kysely';
import type { Handle } from '../../platform/database/handle.ts';

/** Browsers and networks that a member has used. */
interface MemberTracesTable {
  subject: string;
  user_id: string;
  seen_at: number;
}

/** The key of each day's hashes of addresses; once it is deleted, they cannot be linked to addresses. */
interface AddressKeysTable {
  day: number;
  /** 32 bytes, base64url. */
  secret: string;
}

interface VisitorTables {
  member_traces: MemberTracesTable;
  address_keys: AddressKeysTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends VisitorTables {}
}

/** What the queries of this feature see. */
export type Db = Kysely<VisitorTables>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
