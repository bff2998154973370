import type { Generated, Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

/**
 * Files in storage without a row that refers to them. `incoming`: being stored, to be claimed by a row. `removed`: no longer
 * referred to; it can no longer be claimed, and must be deleted.
 */
interface UnclaimedFilesTable {
  /** A sound's `audio_key`, a picture's key. */
  file_key: string;
  kind: 'sound' | 'thumbnail';
  state: 'incoming' | 'removed';
  state_since: number;
}

/** Files that are sent in pieces. */
interface ResumableUploadsTable {
  id: string;
  user_id: string;
  /** Total size. */
  size_bytes: number;
  /** The client's own metadata, unverified; shown only to this client. */
  metadata: string;
  /** The resulting sound; once set, the bytes are not needed any more. */
  sound_id: string | null;
  created_at: number;
  /** The end of its received pieces, which have no gaps. */
  received_bytes: Generated<number>;
  /** When a piece was last begun or received, or a sound was begun to be made of it; 0 for never. */
  active_at: Generated<number>;
}

/** Objects with bytes of uploads. Rows exist before their object is stored, and until it is deleted. */
interface UploadPiecesTable {
  /** Part of the object's key. */
  id: string;
  upload_id: string;
  /** Where it begins in the file. */
  start_byte: number;
  /** Null until it is received. */
  size_bytes: number | null;
  /**
   * `incoming`: being stored. `received`: part of its upload. `removed`: its object must be deleted, and it can no
   * longer be received.
   */
  state: 'incoming' | 'received' | 'removed';
  state_since: number;
}

/**
 * Uploads of a file that another artist had uploaded before, for review by the operator; kept when either sound is
 * deleted.
 */
interface SoundCopiesTable {
  sound_id: string;
  artist_id: string;
  original_id: string;
  original_artist_id: string;
  noted_at: number;
}

/** What a change of a sound has replaced, for seven days; several changes of a sound can be in one row. */
export interface SoundChangesTable {
  /** In order of the changes. */
  seq: Generated<number>;
  sound_seq: number;
  artist_id: string;
  /** Of `CHANGE_WAYS`, contract/sounds/sound-changes.ts. */
  way: string;
  /** The values before the change, of the fields that it changed, as JSON. */
  before: string;
  /** Whether it took something from a public sound, until it is undone. */
  is_worse: Generated<Flag>;
  /** Whether it allowed more than before, until it is undone. */
  is_wider: Generated<Flag>;
  changed_at: number;
}

interface MySoundTables {
  unclaimed_files: UnclaimedFilesTable;
  resumable_uploads: ResumableUploadsTable;
  upload_pieces: UploadPiecesTable;
  sound_copies: SoundCopiesTable;
  sound_changes: SoundChangesTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends MySoundTables {}
}

/** Tables of the catalogue that this feature changes too. */
type Shared = Pick<Schema, 'sound_sub_genres' | 'sounds' | 'undecoded_sounds'>;
type Others = ReadOnly<
  Pick<Schema, 'sound_features' | 'sound_findings' | 'sound_types' | 'sub_genres' | 'users'>
>;

/** What the queries of this feature see. */
export type Db = Kysely<MySoundTables & Shared & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
