import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * The bytes of an upload are objects of the storage, so that any process can continue it. A piece is recorded before its
 * object is stored, and until the object is deleted: there is no reference to the upload, which may end before. An
 * upload that is in transit during the update has received nothing of the kind, and its client sends it again.
 */
export const uploadPieces: Migration = {
  name: '0036-upload-pieces',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table resumable_uploads add column received_bytes bigint not null default 0`,
  `alter table resumable_uploads add column active_at bigint not null default 0`,
  `create table upload_pieces (
    id text primary key,
    upload_id text not null,
    start_byte bigint not null,
    size_bytes bigint,
    state text not null check (state in ('incoming', 'received', 'doomed')),
    noted_at bigint not null
  )`,
  `create index upload_pieces_upload on upload_pieces (upload_id, start_byte)`,
  `create index upload_pieces_state on upload_pieces (state, noted_at)`,
];
