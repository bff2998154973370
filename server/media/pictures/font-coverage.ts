/** The table of a TrueType font that names its characters, in the form for all of Unicode (OpenType, `cmap` format 12). */
const CHARACTER_TABLE = 'cmap';
const FORMAT_12 = 12;

/** Returns whether the font has a glyph for a code point. Throws `RangeError` or `Error` for another kind of file. */
export function readCoverage(font: Buffer): (codePoint: number) => boolean {
  const ranges = readRanges(font, findFormat12(font));
  return (codePoint) => {
    let low = 0;
    for (let high = ranges.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.end ?? 0) < codePoint) low = middle + 1;
      else high = middle;
    }
    return (ranges[low]?.start ?? Infinity) <= codePoint;
  };
}

function findFormat12(font: Buffer): number {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === CHARACTER_TABLE);
  if (record === undefined) throw new Error('the font has no cmap table');
  const table = font.readUInt32BE(record + 8);
  const maps = Array.from(
    { length: font.readUInt16BE(table + 2) },
    (_, index) => table + font.readUInt32BE(table + 8 + 8 * index),
  );
  const map = maps.find((at) => font.readUInt16BE(at) === FORMAT_12);
  if (map === undefined) throw new Error('the font has no cmap of format 12');
  return map;
}

/** In ascending order, as the format demands. */
function readRanges(font: Buffer, map: number) {
  return Array.from({ length: font.readUInt32BE(map + 12) }, (_, index) => {
    const at = map + 16 + 12 * index;
    return { start: font.readUInt32BE(at), end: font.readUInt32BE(at + 4) };
  });
}
