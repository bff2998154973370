import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import tar from 'tar-stream';
import { syncFolder } from '../../platform/synced-files.ts';
import { hashing } from './files.ts';
import type { BackupEntry, BackupReader, BackupWriter } from './format.ts';

/** Writes one tar archive in the scratch folder, and moves it to `file`, which must not exist. */
export async function createTarWriter(file: string, scratch: string): Promise<BackupWriter> {
  const draft = join(scratch, 'archive.tar');
  const handle = await open(draft, 'wx', 0o600);
  const pack = tar.pack();
  let failure: unknown;
  const written = drain(pack, handle).catch((error: unknown) => {
    failure = error;
    // Ends the entry that is being added.
    pack.destroy();
  });
  return {
    findKnown: () => Promise.resolve(undefined),
    async add(name, size, content, modifiedAt) {
      const hash = createHash('sha256');
      try {
        await new Promise<void>((resolve, reject) => {
          const entry = pack.entry({ name, size, mode: 0o600, mtime: modifiedAt }, (error) =>
            error ? reject(error) : resolve(),
          );
          entry.on('error', reject);
          Readable.from(hashing(content, hash), { objectMode: false })
            .on('error', (error) => {
              reject(error);
              entry.destroy(error);
            })
            .pipe(entry);
        });
      } catch (error) {
        throw failure ?? error;
      }
      return hash.digest('hex');
    },
    async finish() {
      pack.finalize();
      await written;
      if (failure !== undefined) throw failure;
      await handle.sync();
      const { size } = await handle.stat();
      await handle.close();
      await moveTo(draft, file);
      return size;
    },
    async abort() {
      pack.destroy();
      await written;
      await handle.close().catch(() => undefined);
    },
  };
}

async function drain(pack: tar.Pack, handle: FileHandle): Promise<void> {
  for await (const chunk of pack as AsyncIterable<Uint8Array>) await handle.writeFile(chunk);
}

/** Never replaces a file. */
async function moveTo(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Error(`${file} exists already`, { cause: error });
    // A file system without links; that the file does not exist was checked at the start.
    await rename(draft, file);
  }
  await syncFolder(dirname(file));
}

export function openTar(file: string): BackupReader {
  return {
    async *entries(): AsyncGenerator<BackupEntry> {
      const extract = tar.extract();
      const source = createReadStream(file, { highWaterMark: 256 * 1024 });
      source.on('error', (error) => extract.destroy(error));
      source.pipe(extract);
      try {
        for await (const entry of extract) {
          const { name, type } = entry.header;
          if (type !== 'file') throw new Error(`${name} is not a file`);
          yield { name, content: entry as AsyncIterable<Uint8Array> };
          // An entry that the caller has skipped must still be read.
          entry.resume();
        }
      } finally {
        source.destroy();
        extract.destroy();
      }
    },
  };
}
