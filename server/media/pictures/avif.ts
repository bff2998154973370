import type { CleanPicture } from './cuts.ts';
import { ensure } from './faults.ts';

/** One picture with its transparency, Exif and XMP have four. */
const ITEMS_MAX = 8;
/** Real files have about 40. */
const BOXES_MAX = 200;
/** The largest decoding: 12 bits, every colour in full, film grain, transparency, and what is handed on. */
const PIXEL_BYTES = 20;
/** AV1 §6.2.2. */
const [SEQUENCE, FRAME_HEADER, FRAME] = [1, 3, 6];

export function isAvif(bytes: Buffer): boolean {
  return bytes.toString('latin1', 4, 11) === 'ftypavi';
}

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Item {
  readonly start: number;
  readonly end: number;
}

/**
 * Checks an AVIF that is one picture, perhaps with transparency, whose coded data hold one frame of the stated size.
 * Grids, overlays, layers and movement are refused. Throws `UnusablePictureError`.
 */
export function checkAvif(bytes: Buffer): CleanPicture {
  const reader = createReader(bytes);
  const top = reader.list(0, bytes.byteLength, true);
  ensure(!top.some(({ type }) => type === 'moov'), 'the AVIF moves', 'animated');
  const meta = reader.open(top, 'meta', 4);
  const types = readTypes(bytes, reader.requireBox(meta, 'iinf'), reader);
  const extents = readExtents(bytes, reader.requireBox(meta, 'iloc'));
  const properties = reader.open(reader.open(meta, 'iprp'), 'ipco');
  const sizes = properties
    .filter(({ type }) => type === 'ispe')
    .map(({ start, end }) => readSize(bytes, start, end));
  const width = Math.max(0, ...sizes.map((size) => size.width));
  const height = Math.max(0, ...sizes.map((size) => size.height));
  ensure(width > 0 && height > 0, 'the AVIF has no size');
  const coded = [...types].filter(([, type]) => type === 'av01');
  ensure(coded.length === 1 || coded.length === 2, 'the AVIF is not one picture', 'effort');
  for (const [id] of coded) {
    const item = extents.get(id);
    ensure(item !== undefined, 'the picture has no data');
    checkCoded(bytes, item, { width, height });
  }
  return { bytes, width, height, pages: 1, workingBytes: width * height * PIXEL_BYTES };
}

function createReader(bytes: Buffer) {
  let read = 0;

  /** `hasTail`: bytes that are no box may follow. */
  function list(from: number, end: number, hasTail = false): Box[] {
    const boxes: Box[] = [];
    for (let at = from; at + 8 <= end;) {
      read += 1;
      ensure(read <= BOXES_MAX, `the AVIF has more than ${BOXES_MAX} boxes`, 'effort');
      const size = bytes.readUInt32BE(at) || end - at;
      const isWhole = size >= 8 && at + size <= end;
      if (hasTail && !isWhole) break;
      ensure(isWhole, 'the AVIF is cut off');
      boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at + 8, end: at + size });
      at += size;
    }
    return boxes;
  }

  function requireBox(boxes: readonly Box[], type: string): Box {
    const [box, another] = boxes.filter((candidate) => candidate.type === type);
    ensure(box !== undefined && another === undefined, `not one ${type}`);
    return box;
  }

  return {
    list,
    requireBox,
    /** The boxes in the only box of a type, behind `head` bytes. */
    open(boxes: readonly Box[], type: string, head = 0): Box[] {
      const { start, end } = requireBox(boxes, type);
      return list(start + head, end);
    },
  };
}

/** The types of the items (ISO 14496-12 §8.11.6); of pictures, only coded ones. */
function readTypes(
  bytes: Buffer,
  { start, end }: Box,
  reader: ReturnType<typeof createReader>,
): Map<number, string> {
  const entries = reader.list(start + (bytes[start] === 0 ? 6 : 8), end);
  const types = new Map<number, string>();
  for (const entry of entries) {
    ensure(entry.type === 'infe' && entry.end - entry.start >= 12, 'an item is damaged');
    const isLong = bytes[entry.start] === 3;
    const at = entry.start + 4;
    const id = isLong ? bytes.readUInt32BE(at) : bytes.readUInt16BE(at);
    const type = bytes.toString('latin1', at + (isLong ? 6 : 4), at + (isLong ? 10 : 8));
    ensure(/^(?:av01|Exif|mime)$/.test(type), `an item is of type ${type}`, 'effort');
    types.set(id, type);
  }
  ensure(entries.length === types.size && types.size <= ITEMS_MAX, 'too many items', 'effort');
  return types;
}

/** Where each item's data are (§8.11.3): in one piece, and no byte counts twice. */
function readExtents(bytes: Buffer, { start, end }: Box): Map<number, Item> {
  let at = start + 4;
  const read = (size: number): number => {
    ensure(at + size <= end && size <= 6, 'iloc is damaged');
    at += size;
    return size === 0 ? 0 : bytes.readUIntBE(at - size, size);
  };
  const version = bytes[start] ?? 0;
  const sizes = read(2);
  const [offsetSize, lengthSize, baseSize, indexSize] = [12, 8, 4, 0].map(
    (shift) => (sizes >> shift) & 15,
  ) as [number, number, number, number];
  const count = read(version < 2 ? 2 : 4);
  ensure(count <= ITEMS_MAX, 'too many items', 'effort');
  const items = new Map<number, Item>();
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    const id = read(version < 2 ? 2 : 4);
    ensure(version === 0 || (read(2) & 15) === 0, 'an item is not in the file', 'effort');
    read(2);
    const base = read(baseSize);
    ensure(read(2) === 1, 'an item is in several pieces', 'effort');
    if (version > 0) read(indexSize);
    const from = base + read(offsetSize);
    const length = read(lengthSize);
    ensure(from + length <= bytes.byteLength, 'an item is cut off');
    total += length;
    items.set(id, { start: from, end: from + length });
  }
  ensure(total <= bytes.byteLength, 'items share their data', 'effort');
  return items;
}

function readSize(bytes: Buffer, start: number, end: number) {
  ensure(end - start >= 12, 'a size is damaged');
  return { width: bytes.readUInt32BE(start + 4), height: bytes.readUInt32BE(start + 8) };
}

/** The units of coded data (AV1 §5.3): one frame, no larger than stated. */
function checkCoded(bytes: Buffer, { start, end }: Item, stated: { width: number; height: number }): void {
  let frames = 0;
  for (let at = start; at < end;) {
    const head = bytes[at] ?? 0;
    const type = (head >> 3) & 15;
    ensure((head & 2) !== 0, 'a unit has no length');
    at += head & 4 ? 2 : 1;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const part = bytes[at] ?? 0;
      ensure(at < end && shift < 28, 'a unit is damaged');
      length += (part & 127) * 2 ** shift;
      at += 1;
      if (part < 128) break;
    }
    ensure(at + length <= end, 'a unit is cut off');
    if (type === SEQUENCE) {
      const size = readSequenceSize(bytes.subarray(at, at + length));
      ensure(
        size.width <= stated.width && size.height <= stated.height,
        'the data are larger than stated',
        'effort',
      );
    }
    if (type === FRAME || type === FRAME_HEADER) frames += 1;
    at += length;
  }
  ensure(frames === 1, 'the data are not one frame', 'effort');
}

/** The largest size of a sequence (AV1 §5.5.1). */
function readSequenceSize(content: Buffer) {
  let at = 0;
  const read = (bits: number): number => {
    let value = 0;
    for (let index = 0; index < bits; index += 1, at += 1) {
      value = value * 2 + (((content[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  read(4);
  const isReduced = read(1) === 1;
  if (isReduced) {
    read(5);
  } else {
    // Times and layers: not in still pictures.
    ensure(read(1) === 0, 'the sequence has times', 'effort');
    const hasDelay = read(1) === 1;
    ensure(read(5) === 0, 'the sequence has layers', 'effort');
    read(12);
    if (read(5) > 7) read(1);
    if (hasDelay && read(1) === 1) read(4);
  }
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1];
  return { width: read(widthBits) + 1, height: read(heightBits) + 1 };
}
