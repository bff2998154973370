import type { Generated } from 'kysely';
import type { PictureKind } from '../../../../contract/pictures.ts';

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

/** Replaced pictures, until no cached page refers to them. */
interface RetiredPicturesTable {
  picture_key: string;
  kind: PictureKind;
  retired_at: number;
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

export interface FileTables {
  unclaimed_files: UnclaimedFilesTable;
  retired_pictures: RetiredPicturesTable;
  resumable_uploads: ResumableUploadsTable;
  upload_pieces: UploadPiecesTable;
}

export const FILE_TABLES: readonly string[] = [
  `create table unclaimed_files (
    file_key text primary key,
    kind text not null check (kind in ('sound', 'thumbnail')),
    state text not null check (state in ('incoming', 'removed')),
    state_since bigint not null
  )`,
  `create index unclaimed_files_age on unclaimed_files (state, state_since)`,
  `create table retired_pictures (
    picture_key text primary key,
    kind text not null,
    retired_at bigint not null
  )`,
  `create index retired_pictures_age on retired_pictures (retired_at)`,
  // No reference to sounds: a sound can be deleted before its record here.
  `create table resumable_uploads (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    size_bytes bigint not null check (size_bytes > 0),
    metadata text not null,
    sound_id text,
    created_at bigint not null,
    received_bytes bigint not null default 0,
    active_at bigint not null default 0
  )`,
  `create index resumable_uploads_user on resumable_uploads (user_id, created_at)`,
  `create index resumable_uploads_age on resumable_uploads (created_at)`,
  // No reference to the upload, which may end before the object of a piece is deleted.
  `create table upload_pieces (
    id text primary key,
    upload_id text not null,
    start_byte bigint not null,
    size_bytes bigint,
    state text not null check (state in ('incoming', 'received', 'removed')),
    state_since bigint not null
  )`,
  `create index upload_pieces_upload on upload_pieces (upload_id, start_byte)`,
  `create index upload_pieces_state on upload_pieces (state, state_since)`,
];
