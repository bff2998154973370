import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { ERRORS, Upload } from '@tus/server';
import type { Database } from '../../database/open.ts';
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

  override async create(upload: Upload): Promise<Upload> {
    try {
      return await super.create(upload);
    } catch (error) {
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

  /** That of `FileStore` keeps to itself why it could not write: a full disk has an answer of its own. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(this.#files.toPath(id), { flags: 'r+', start: offset });
    try {
      await pipeline(content, file);
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? ERRORS.FILE_NOT_FOUND : error;
    }
    return offset + file.bytesWritten;
  }
}
