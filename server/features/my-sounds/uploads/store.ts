import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { ERRORS, Upload } from '@tus/server';
import type { Database } from '../../../platform/database/database.ts';
import type { UploadFiles } from './files.ts';
import { deleteUnfinished, findUpload } from './queries.ts';

/**
 * Bytes in files, all else in the database: a row is there before its file, and whoever asks has been
 * looked at before. The clock of `FileStore` is not used; what has expired never comes here.
 */
export class UploadStore extends FileStore {
  readonly #db: Database['db'];
  readonly #files: UploadFiles;

  constructor(db: Database['db'], files: UploadFiles) {
    super({
      directory: files.folder,
      configstore: {
        get: () => Promise.resolve(undefined),
        set: () => Promise.resolve(),
        delete: () => Promise.resolve(),
      },
    });
    this.#db = db;
    this.#files = files;
    this.extensions = ['creation', 'termination', 'expiration'];
  }

  /** Row and file announce the upload's bytes to all processes; both go where the bytes do not fit. */
  override async create(upload: Upload): Promise<Upload> {
    try {
      const created = await super.create(upload);
      await this.#files.room.admit(this.#files.folder);
      return created;
    } catch (error) {
      await this.#files.remove(upload.id);
      await deleteUnfinished(this.#db, upload.id);
      throw error;
    }
  }

  /** That of `FileStore` gives up where the file is gone: the row would stand until it expires. */
  override async remove(id: string): Promise<void> {
    const row = await findUpload(this.#db, id);
    if (row === undefined || row.sound_id !== null) throw ERRORS.FILE_NOT_FOUND;
    await this.#files.remove(id);
    await deleteUnfinished(this.#db, id);
  }

  /** What has become a sound has arrived, though its bytes are gone: its client need not begin anew. */
  override async getUpload(id: string): Promise<Upload> {
    const row = await findUpload(this.#db, id);
    const arrived = row && (row.sound_id === null ? await this.#files.findSize(id) : row.size_bytes);
    if (row === undefined || arrived === undefined) throw ERRORS.FILE_NOT_FOUND;
    return new Upload({ id, size: row.size_bytes, offset: arrived });
  }

  /**
   * That of `FileStore` keeps to itself why it could not write: a full disk has an answer of its own. Each chunk is
   * checked against the disk; the chunks before one that is refused are kept.
   */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const { folder, room, toPath } = this.#files;
    const file = createWriteStream(toPath(id), { flags: 'r+', start: offset });
    async function* withinRoom(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        await room.requireFree(folder, chunk.byteLength);
        yield chunk;
      }
    }
    try {
      await pipeline(content, withinRoom, file);
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? ERRORS.FILE_NOT_FOUND : error;
    }
    return offset + file.bytesWritten;
  }
}
