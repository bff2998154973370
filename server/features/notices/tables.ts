import type { Kysely } from 'kysely';
import type { Handle } from '../../platform/database/handle.ts';

/** The operator's pictures and videos before downloads. */
export interface NoticesTable {
  /** A UUID, which visitors see. */
  id: string;
  /**
   * `incoming`: its files are being stored. `removed`: a visitor who has begun to watch it may finish; the row is deleted
   * with its files.
   */
  state: 'incoming' | 'listed' | 'removed';
  state_since: number;
  /** Ascending in the list; gaps have no meaning. */
  position: number;
  kind: 'picture' | 'video';
  /** SHA-256, hexadecimal. */
  file_hash: string;
  /** Such as `.png`, in lower case. */
  file_ending: string;
  file_size: number;
  captions_hash: string | null;
  captions_size: number | null;
  text: string;
  link: string | null;
  seconds: number;
  /** Minutes in Japan; '' for no limit. */
  shown_from: string;
  shown_until: string;
}

interface NoticeTables {
  notices: NoticesTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends NoticeTables {}
}

/** What the queries of this feature see. */
export type Db = Kysely<NoticeTables>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
