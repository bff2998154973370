const ORIENTATION = 0x0112;
const SHORT = 3;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
/** A header and a directory of one entry, with its count and its end. */
const BLOCK_BYTES = HEADER_BYTES + 2 + ENTRY_BYTES + 4;
/** Real cameras write about twelve. */
const ENTRIES_MAX = 100;

/**
 * The orientation that an Exif block states (TIFF 6.0, without the mark "Exif"), 1 to 8; 1 if it states none. Reads the
 * first directory only, wherever else the block points.
 */
export function readOrientation(tiff: Buffer): number {
  if (tiff.byteLength < BLOCK_BYTES) return 1;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (start + 2 > tiff.byteLength) return 1;
  const count = Math.min(read16(start), ENTRIES_MAX);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.byteLength) return 1;
    if (read16(at) !== ORIENTATION || read16(at + 2) !== SHORT) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An Exif block that states an orientation and nothing else. */
export function makeOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(BLOCK_BYTES);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(HEADER_BYTES, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION, 10);
  tiff.writeUInt16LE(SHORT, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}
