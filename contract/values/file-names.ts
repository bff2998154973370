/** What ext4, APFS and NTFS allow for a name, at the least. */
const BYTES_MAX = 255;
/** Characters that some file systems reject in names. */
const RESERVED = /[\\/:*?"<>|]/g;
const ENDING = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * The name under which a person saves a file: valid on any file system, at most 255 bytes of UTF-8. A longer name is cut
 * between characters as people count them, and keeps its ending.
 */
export function toSavedName(name: string): string {
  const allowed = name.toWellFormed().replace(RESERVED, '_');
  const ending = ENDING.exec(allowed)?.[0] ?? '';
  const stem = allowed.slice(0, allowed.length - ending.length);
  return cut(stem, BYTES_MAX - countBytes(ending)).replace(/[. ]+$/, '') + ending;
}

function cut(text: string, bytesMax: number): string {
  const within = takeWhole(new Intl.Segmenter('ja').segment(text), bytesMax);
  // One character with more marks than a name has room for.
  return within === '' ? takeWhole(Array.from(text, toPart), bytesMax) : within;
}

function takeWhole(parts: Iterable<{ readonly segment: string }>, bytesMax: number): string {
  let taken = '';
  let bytes = 0;
  for (const { segment } of parts) {
    bytes += countBytes(segment);
    if (bytes > bytesMax) break;
    taken += segment;
  }
  return taken;
}

const toPart = (segment: string) => ({ segment });
const encoder = new TextEncoder();
const countBytes = (text: string) => encoder.encode(text).length;
