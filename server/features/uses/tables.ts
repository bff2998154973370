import type { Kysely } from 'kysely';
import type { UseState } from '../../../contract/artists/uses.ts';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** A work in which someone used a sound. It goes with the sound, and with the account of whoever told of it. */
export interface UsesTable {
  id: string;
  /** The proof that the sound was downloaded; the artist never sees it. */
  certificate_id: string;
  sound_id: string;
  artist_id: string;
  address: string;
  title: string;
  message: string;
  state: UseState;
  created_at: number;
  /** When the state last changed. */
  changed_at: number;
}

/** Artists who want a weekly mail about new uses. */
export interface UseMailsTable {
  user_id: string;
  /** Until when uses were looked at for a mail. */
  checked_at: number;
}

interface UseTables {
  uses: UsesTable;
  use_mails: UseMailsTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends UseTables {}
}

type Others = ReadOnly<Pick<Schema, 'certificates' | 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<UseTables & Others>;
