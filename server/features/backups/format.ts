/** A part of a backup. Read `content`, which fails if it is damaged, or go on to the next entry. */
export interface BackupEntry {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface BackupReader {
  /** The manifest first, `SHA256SUMS` last. */
  entries(): AsyncIterable<BackupEntry>;
}

/** Where a backup is written to: an archive, or a folder that keeps each file once. */
export interface BackupWriter {
  /** The SHA-256 of an immutable file that an earlier backup in the same place holds; undefined if none does. */
  findKnown(name: string, size: number): Promise<string | undefined>;
  /** Adds an entry of exactly `size` bytes. Returns its SHA-256 in hex. */
  add(name: string, size: number, content: AsyncIterable<Uint8Array>, modifiedAt: Date): Promise<string>;
  /** Makes the backup visible in one step, on disk. Returns its size without the files of earlier ones. */
  finish(): Promise<number>;
  /** Stops writing. The scratch folder is removed by its owner. */
  abort(): Promise<void>;
}

/** The operator can do something about it; the message says what. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}
