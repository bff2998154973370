import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { ERRORS, Upload } from '@tus/server';
import type { Database } from '../../../platform/database/database.ts';
import type { UploadFiles } from './files.ts';
import { deleteUnfinished, findUpload } from './queries.ts';

/**
 * Bytes in files, everything else in the database. A row exists before its file, and callers are authorised before. The
 * expiry of `FileStore` is not used; expired uploads never get here.
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

  /** Row and file announce the upload's bytes to all processes; both are removed when the bytes do not fit. */
  override async create(upload: Upload): Promise<Upload> {
    try {
      const created = await super.create(upload);
      await this.#files.space.admit(this.#files.folder);
      return created;
    } catch (error) {
      await this.#files.remove(upload.id);
      await deleteUnfinished(this.#db, upload.id);
      throw error;
    }
  }

  /** `FileStore` fails when the file is missing, and the row would stay until it expires. */
  override async remove(id: string): Promise<void> {
    const row = await findUpload(this.#db, id);
    if (row === undefined || row.sound_id !== null) throw ERRORS.FILE_NOT_FOUND;
    await this.#files.remove(id);
    await deleteUnfinished(this.#db, id);
  }

  /**
   * An upload that became a sound counts as complete although its bytes are deleted, so its client need not start over.
   */
  override async getUpload(id: string): Promise<Upload> {
    const row = await findUpload(this.#db, id);
    const arrived = row && (row.sound_id === null ? await this.#files.findSize(id) : row.size_bytes);
    if (row === undefined || arrived === undefined) throw ERRORS.FILE_NOT_FOUND;
    return new Upload({ id, size: row.size_bytes, offset: arrived });
  }

  /**
   * `FileStore` hides why a write failed, but a full disk has a reply of its own. Each chunk is checked against the
   * disk; chunks before a rejected one are kept.
   */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const { folder, space, toPath } = this.#files;
    const file = createWriteStream(toPath(id), { flags: 'r+', start: offset });
    async function* requireSpace(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        await space.requireFree(folder, chunk.byteLength);
        yield chunk;
      }
    }
    try {
      await pipeline(content, requireSpace, file);
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? ERRORS.FILE_NOT_FOUND : error;
    }
    return offset + file.bytesWritten;
  }
}
