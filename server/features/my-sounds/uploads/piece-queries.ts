import { changesRows } from '../../../platform/database/statements/outcomes.ts';
import type { Db } from '../tables.ts';

export interface NewPiece {
  readonly id: string;
  readonly upload_id: string;
  readonly start_byte: number;
}

export interface ReceivedPiece {
  readonly id: string;
  readonly start_byte: number;
  readonly size_bytes: number;
}

/** Records a piece before it is stored, and that its upload is active. */
export async function recordPiece(db: Db, piece: NewPiece, nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('resumable_uploads')
      .set({ active_at: nowMs })
      .where('id', '=', piece.upload_id)
      .execute();
    await transaction
      .insertInto('upload_pieces')
      .values({ ...piece, size_bytes: null, state: 'incoming', state_since: nowMs })
      .execute();
  });
}

/**
 * Adds a stored piece to its upload, whose received bytes then end at `toByte`. Returns false and changes nothing unless
 * they end at `fromByte`: of several processes that receive the same bytes, one succeeds. The piece replaces that of
 * `replacedId`, whose bytes it contains. Throws when the piece was given up meanwhile.
 */
export function receivePiece(
  db: Db,
  { id, upload_id, start_byte }: NewPiece,
  { fromByte, toByte, replacedId }: { fromByte: number; toByte: number; replacedId: string | undefined },
  nowMs: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const upload = transaction
      .updateTable('resumable_uploads')
      .set({ received_bytes: toByte, active_at: nowMs })
      .where('id', '=', upload_id)
      .where('received_bytes', '=', fromByte)
      .where('sound_id', 'is', null);
    if (!(await changesRows(upload))) return false;
    const piece = transaction
      .updateTable('upload_pieces')
      .set({ state: 'received', size_bytes: toByte - start_byte, state_since: nowMs })
      .where('id', '=', id)
      .where('state', '=', 'incoming');
    if (!(await changesRows(piece))) throw new Error('a piece took too long to store');
    if (replacedId !== undefined) {
      await transaction
        .updateTable('upload_pieces')
        .set({ state: 'removed', state_since: nowMs })
        .where('id', '=', replacedId)
        .execute();
    }
    return true;
  });
}

/** The received pieces of an upload, in their order. */
export async function selectPieces(db: Db, uploadId: string): Promise<ReceivedPiece[]> {
  const rows = await selectReceived(db, uploadId).orderBy('start_byte').execute();
  return rows.map((row) => ({ ...row, size_bytes: row.size_bytes ?? 0 }));
}

/** The received piece that ends an upload so far. */
export async function findLastPiece(db: Db, uploadId: string): Promise<ReceivedPiece | undefined> {
  const row = await selectReceived(db, uploadId).orderBy('start_byte', 'desc').executeTakeFirst();
  return row && { ...row, size_bytes: row.size_bytes ?? 0 };
}

function selectReceived(db: Db, uploadId: string) {
  return db
    .selectFrom('upload_pieces')
    .select(['id', 'start_byte', 'size_bytes'])
    .where('upload_id', '=', uploadId)
    .where('state', '=', 'received');
}

/** Marks a piece that could not be received for deletion. Returns false for one that was received after all. */
export async function giveUpPiece(db: Db, id: string, nowMs: number): Promise<boolean> {
  return changesRows(
    db
      .updateTable('upload_pieces')
      .set({ state: 'removed', state_since: nowMs })
      .where('id', '=', id)
      .where('state', '<>', 'received'),
  );
}

/** Marks the received pieces of an upload for deletion; its upload must have ended. */
export async function markPieces(db: Db, uploadId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('upload_pieces')
    .set({ state: 'removed', state_since: nowMs })
    .where('upload_id', '=', uploadId)
    .where('state', '=', 'received')
    .execute();
}

/** Marks pieces whose process has ended before it received them, and received pieces of uploads that have ended. */
export async function markAbandonedPieces(db: Db, incomingBeforeMs: number, nowMs: number): Promise<void> {
  const marked = { state: 'removed', state_since: nowMs } as const;
  await db
    .updateTable('upload_pieces')
    .set(marked)
    .where('state', '=', 'incoming')
    .where('state_since', '<', incomingBeforeMs)
    .execute();
  await db
    .updateTable('upload_pieces')
    .set(marked)
    .where('state', '=', 'received')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('resumable_uploads')
            .select('resumable_uploads.id')
            .whereRef('resumable_uploads.id', '=', 'upload_pieces.upload_id')
            .where('resumable_uploads.sound_id', 'is', null),
        ),
      ),
    )
    .execute();
}

/** Ids of pieces to delete, in ascending order after `afterId`; of one upload or of all. */
export async function selectMarkedPieces(
  db: Db,
  limit: number,
  { afterId = '', uploadId }: { afterId?: string; uploadId?: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('upload_pieces')
    .select('id')
    .where('state', '=', 'removed')
    .where('id', '>', afterId)
    .$if(uploadId !== undefined, (query) => query.where('upload_id', '=', uploadId ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function forgetPiece(db: Db, id: string): Promise<void> {
  await db.deleteFrom('upload_pieces').where('id', '=', id).execute();
}
