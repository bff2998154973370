import { Cuts, PROFILE_BYTES_MAX } from './cuts.ts';
import type { CleanPicture } from './cuts.ts';
import { makeOrientation, readOrientation } from './exif.ts';
import { ensure } from './faults.ts';

const START = Buffer.from([0xff, 0xd8, 0xff]);
const [DHT, SOI, EOI, SOS, DQT, DRI] = [0xc4, 0xd8, 0xd9, 0xda, 0xdb, 0xdd];
const [JFIF, EXIF, PROFILE, ADOBE] = [0xe0, 0xe1, 0xe2, 0xee];
/** Baseline, extended and progressive, with Huffman codes; no other is decoded. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const PROGRESSIVE = 0xc2;
/** JFIF and Adobe state the colours in their first bytes; what follows, such as a preview, is left out. */
const HEADS: Readonly<Record<number, { readonly mark: string; readonly length: number }>> = {
  [JFIF]: { mark: 'JFIF\0', length: 14 },
  [ADOBE]: { mark: 'Adobe', length: 12 },
};
const EXIF_MARK = 'Exif\0\0';
const PROFILE_MARK = 'ICC_PROFILE\0';
/** Encoders write up to 18, of four colours (libjpeg, jcparam.c). Each can cost as much as the whole picture. */
const SCANS_MAX = 32;
/** Tables of codes and quantisation: encoders write two or three for each scan. */
const TABLES_MAX = 200;
const COEFFICIENT_BYTES = 2;

export function isJpeg(bytes: Buffer): boolean {
  return bytes.subarray(0, START.byteLength).equals(START);
}

interface Segment {
  readonly marker: number;
  /** Where its marker stands. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

interface Frame {
  readonly isProgressive: boolean;
  readonly width: number;
  readonly height: number;
  /** What all coefficients take: a decoder keeps them when there are several scans. */
  readonly coefficientBytes: number;
}

/**
 * A JPEG with its tables, scans, colour profile and orientation: no other metadata, previews, further pictures or data
 * behind it. Throws `UnusablePictureError`.
 */
export function cleanJpeg(bytes: Buffer): CleanPicture {
  const cuts = new Cuts(bytes);
  cuts.retain(0, 2);
  const retained = new Set<number>();
  let frame: Frame | undefined;
  let [scans, tables, profileBytes] = [0, 0, 0];

  for (let at = 2; ;) {
    const segment = readSegment(bytes, at);
    // Without an end it is cut off, which the decoder reports.
    if (segment === undefined) break;
    const { marker, start, end } = segment;
    at = end;
    if (marker === EOI) {
      cuts.retain(segment.at, end);
      break;
    }
    const content = bytes.subarray(start, end);
    if (marker === SOS) {
      scans += 1;
      ensure(frame !== undefined, 'a scan precedes its frame');
      ensure(scans <= SCANS_MAX, `the JPEG has more than ${SCANS_MAX} scans`, 'effort');
      at = findMarker(bytes, end);
      cuts.retain(segment.at, at);
    } else if (FRAMES.has(marker)) {
      ensure(frame === undefined, 'the JPEG has two frames');
      frame = readFrame(marker, content);
      cuts.retain(segment.at, end);
    } else if (marker === DHT || marker === DQT || marker === DRI) {
      tables += 1;
      ensure(tables <= TABLES_MAX, `the JPEG has more than ${TABLES_MAX} tables`, 'effort');
      cuts.retain(segment.at, end);
    } else if (marker === PROFILE && startsWith(content, PROFILE_MARK)) {
      profileBytes += content.byteLength;
      // A profile without its end is ignored.
      if (profileBytes <= PROFILE_BYTES_MAX) cuts.retain(segment.at, end);
    } else if (marker === EXIF && startsWith(content, EXIF_MARK)) {
      if (!retained.has(marker)) putOrientation(cuts, content, end);
      retained.add(marker);
    } else if (isHead(marker, content)) {
      if (!retained.has(marker)) retainHead(cuts, bytes, segment);
      retained.add(marker);
    } else {
      // Applications' data and comments; any other kind of coding is not decoded.
      ensure(marker === 0xfe || (marker >= 0xe0 && marker <= 0xef), `no decoder for marker ${marker}`);
    }
  }
  ensure(frame !== undefined && scans > 0, 'the JPEG has no scan');
  const isWhole = frame.isProgressive || scans > 1;
  const { width, height, coefficientBytes } = frame;
  return { bytes: cuts.result, width, height, pages: 1, workingBytes: isWhole ? coefficientBytes : 0 };
}

/** The next segment; bytes before its marker belong to none. Undefined at the end of the file. */
function readSegment(bytes: Buffer, from: number): Segment | undefined {
  const at = findMarker(bytes, from);
  const marker = bytes[at + 1] ?? 0;
  const start = at + 2;
  if (marker === EOI) return { marker, at, start, end: start };
  if (start + 2 > bytes.byteLength) return undefined;
  const end = start + bytes.readUInt16BE(start);
  ensure(end >= start + 2, 'a segment is shorter than its head');
  return end > bytes.byteLength ? undefined : { marker, at, start: start + 2, end };
}

/**
 * Where the next marker of a segment stands: in coded data, 0xff is followed by 0, by itself or by a restart. The end of
 * the file if there is none.
 */
function findMarker(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.byteLength; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const marker = bytes[at + 1] ?? 0;
    if (marker > 1 && marker !== 0xff && (marker < 0xd0 || marker > SOI)) return at;
  }
  return bytes.byteLength;
}

function readFrame(marker: number, content: Buffer): Frame {
  ensure(content.byteLength >= 6, 'the frame is too short');
  const [depth = 0, , , , , components = 0] = content;
  const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
  ensure(depth === 8, `samples of ${depth} bits`);
  ensure(width > 0 && height > 0, 'the frame has no size');
  ensure(components >= 1 && components <= 4 && content.byteLength === 6 + 3 * components, 'wrong components');
  const factors = Array.from({ length: components }, (_, index) => {
    const factor = content[7 + 3 * index] ?? 0;
    const [across, down] = [factor >> 4, factor & 15];
    ensure(across >= 1 && across <= 4 && down >= 1 && down <= 4, 'wrong sampling factors');
    return [across, down] as const;
  });
  const acrossMax = Math.max(...factors.map(([across]) => across));
  const downMax = Math.max(...factors.map(([, down]) => down));
  const units = Math.ceil(width / (8 * acrossMax)) * Math.ceil(height / (8 * downMax));
  const blocks = units * factors.reduce((sum, [across, down]) => sum + across * down, 0);
  return {
    isProgressive: marker === PROGRESSIVE,
    width,
    height,
    coefficientBytes: blocks * 64 * COEFFICIENT_BYTES,
  };
}

function startsWith(content: Buffer, mark: string): boolean {
  return content.toString('latin1', 0, mark.length) === mark;
}

function isHead(marker: number, content: Buffer): boolean {
  const head = HEADS[marker];
  return head !== undefined && content.byteLength >= head.length && startsWith(content, head.mark);
}

function retainHead(cuts: Cuts, bytes: Buffer, { marker, at, start, end }: Segment): void {
  const { length } = HEADS[marker] ?? { length: 0 };
  const head = Buffer.alloc(length + 4);
  head.set([0xff, marker, 0, length + 2]);
  head.set(bytes.subarray(start, start + length), 4);
  // No preview follows.
  if (marker === JFIF) head.fill(0, 16);
  ensure(at + head.byteLength <= end, 'a head is too short');
  cuts.put(head, end);
}

function putOrientation(cuts: Cuts, content: Buffer, readEnd: number): void {
  const orientation = readOrientation(content.subarray(EXIF_MARK.length));
  if (orientation === 1) return;
  const block = Buffer.concat([Buffer.from(EXIF_MARK, 'latin1'), makeOrientation(orientation)]);
  cuts.put(Buffer.concat([Buffer.from([0xff, EXIF, 0, block.byteLength + 2]), block]), readEnd);
}
