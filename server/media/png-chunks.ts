const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length, type and checksum of a chunk without content. */
const CHUNK_BYTES = 12;

export interface PngChunks {
  /** All chunks except image data, of which large pictures have many. */
  readonly extras: number;
  readonly isAnimated: boolean;
}

/** The chunks of a PNG, without decoding them; undefined for bytes that are not a PNG. */
export function readPngChunks(bytes: Buffer): PngChunks | undefined {
  if (!bytes.subarray(0, SIGNATURE.byteLength).equals(SIGNATURE)) return undefined;
  let extras = 0;
  let isAnimated = false;
  for (let at = SIGNATURE.byteLength; at + CHUNK_BYTES <= bytes.byteLength;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type !== 'IDAT') extras += 1;
    if (type === 'acTL') isAnimated = true;
    if (type === 'IEND') break;
    at += CHUNK_BYTES + bytes.readUInt32BE(at);
  }
  return { extras, isAnimated };
}
