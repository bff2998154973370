import { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { MINUTE_MS } from '../../../../contract/values/time-units.ts';
import { toPieceKey } from '../../../media/object-keys.ts';
import { randomId } from '../../../platform/database/statements/random-id.ts';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import { createIncomingBytes } from './incoming-bytes.ts';
import type { IncomingBytes } from './incoming-bytes.ts';
import { endUpload } from './own-uploads.ts';
import { findLastPiece, recordPiece, receivePiece } from './piece-queries.ts';
import type { ReceivedPiece } from './piece-queries.ts';
import { discardPiece } from './pieces.ts';
import type { UploadDeps } from './pieces.ts';
import { deleteUnfinished, findUpload } from './queries.ts';

/** The most that a killed process loses of an upload, besides what arrived in the last `PIECE_MS_MAX`. */
export const PIECE_BYTES_MAX = 8 * 1024 * 1024;
/** A slow client's piece ends after this long: far below the time after which `collectPieces` gives a piece up. */
export const PIECE_MS_MAX = 5 * MINUTE_MS;
/** A piece that is smaller is stored again together with what follows, so that an upload has few pieces. */
export const PIECE_BYTES_MIN = 256 * 1024;

/**
 * Bytes in the storage, everything else in the database: each process can receive the next piece. A row exists before
 * its objects, and callers are authorised before. The library's expiry is not used; expired uploads never get here.
 */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'termination', 'expiration'];
  readonly #deps: UploadDeps;

  constructor(deps: UploadDeps) {
    super();
    this.#deps = deps;
  }

  /** The row announces the upload's bytes to all processes; it is removed when the bytes do not fit. */
  override async create(upload: Upload): Promise<Upload> {
    const { database, storage } = this.#deps;
    try {
      await storage.room?.admit();
      return upload;
    } catch (error) {
      await deleteUnfinished(database.db, upload.id);
      throw error;
    }
  }

  override async remove(id: string): Promise<void> {
    if (!(await endUpload(this.#deps, id))) throw ERRORS.FILE_NOT_FOUND;
  }

  /**
   * An upload that became a sound counts as complete although its bytes are deleted, so its client need not start over.
   */
  override async getUpload(id: string): Promise<Upload> {
    const row = await findUpload(this.#deps.database.db, id);
    if (row === undefined) throw ERRORS.FILE_NOT_FOUND;
    const offset = row.sound_id === null ? row.received_bytes : row.size_bytes;
    return new Upload({ id, size: row.size_bytes, offset });
  }

  /**
   * Stores the bytes in pieces, and returns where they end. Bytes that arrived before a failure are stored. Throws the
   * library's error for a wrong offset when another process has received these bytes.
   */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const { storage, clock } = this.#deps;
    const bytes = createIncomingBytes(content, {
      clock,
      requireFree: async (size) => storage.room?.requireFree(size),
    });
    let end = offset;
    while (await bytes.hasMore()) end = await this.#storePiece(bytes, id, end);
    bytes.throwFailure();
    return end;
  }

  /** The row is written before the object: a crash in between leaves no unknown object. */
  async #storePiece(bytes: IncomingBytes, uploadId: string, fromByte: number): Promise<number> {
    const { database, storage, clock } = this.#deps;
    const last = await findLastPiece(database.db, uploadId);
    const small = last && last.size_bytes < PIECE_BYTES_MIN ? last : undefined;
    const piece = { id: randomId(), upload_id: uploadId, start_byte: small?.start_byte ?? fromByte };
    await recordPiece(database.db, piece, clock.now());
    let toByte = fromByte;
    let before: Readable | undefined;
    try {
      if (small !== undefined) before = await this.#openPiece(uploadId, small);
      const content = bytes.take(PIECE_BYTES_MAX - (small?.size_bytes ?? 0), PIECE_MS_MAX, (size) => {
        toByte += size;
      });
      await storage.put(
        toPieceKey(piece.id),
        Readable.from(join(before, content), { objectMode: true, highWaterMark: 1 }),
      );
      const range = { fromByte, toByte, replacedId: small?.id };
      if (!(await receivePiece(database.db, piece, range, clock.now())))
        throw await this.#toConflict(uploadId);
    } catch (error) {
      before?.destroy();
      await discardPiece(this.#deps, piece.id);
      throw error;
    }
    if (small !== undefined) await discardPiece(this.#deps, small.id);
    return toByte;
  }

  /** Without one of its pieces, as after the restoration of a backup, an upload is of no use. */
  async #openPiece(uploadId: string, piece: ReceivedPiece): Promise<Readable> {
    try {
      return await this.#deps.storage.open(toPieceKey(piece.id));
    } catch (error) {
      if (!(error instanceof MissingObjectError)) throw error;
      const last = await findLastPiece(this.#deps.database.db, uploadId);
      if (last?.id === piece.id) await endUpload(this.#deps, uploadId);
      throw await this.#toConflict(uploadId);
    }
  }

  async #toConflict(uploadId: string) {
    const row = await findUpload(this.#deps.database.db, uploadId);
    return row === undefined ? ERRORS.FILE_NOT_FOUND : ERRORS.INVALID_OFFSET;
  }
}

async function* join(
  before: AsyncIterable<Uint8Array> | undefined,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (before !== undefined) yield* before;
  yield* content;
}
