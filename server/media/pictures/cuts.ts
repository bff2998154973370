import { ensure } from './faults.ts';

/** What a decoder gets of a picture. */
export interface CleanPicture {
  /** The picture with nothing that it does not need, in the memory of the given bytes. */
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** 1, or the number of pictures of one that moves. */
  readonly pages: number;
  /** What a decoder keeps in memory at once, beside the bytes. */
  readonly workingBytes: number;
}

/** A colour profile; those for print have about 600 KB. */
export const PROFILE_BYTES_MAX = 1024 * 1024;

/** Moves the retained parts of a file together in its own memory, so that a large file is not in memory twice. */
export class Cuts {
  readonly #bytes: Buffer;
  #end = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Where the next part will be. */
  get end(): number {
    return this.#end;
  }

  /** All retained parts. */
  get result(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Retains a part; call it in the order of the parts. */
  retain(start: number, end: number): void {
    if (start !== this.#end) this.#bytes.copyWithin(this.#end, start, end);
    this.#end += end - start;
  }

  /** Replaces parts that end at `readEnd` by other bytes. */
  put(content: Uint8Array, readEnd: number): void {
    ensure(this.#end + content.byteLength <= readEnd, 'no room for what replaces a part');
    this.#bytes.set(content, this.#end);
    this.#end += content.byteLength;
  }
}
