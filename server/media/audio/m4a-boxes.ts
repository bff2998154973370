import { UnusableAudioError } from './facts.ts';
import { readBytes } from './source.ts';
import type { ByteSource } from './source.ts';

/** The position of a box (ISO 14496-12 §4.2); `end` is exclusive. */
export interface Box {
  readonly type: string;
  /** Where its header starts. */
  readonly headStart: number;
  /** Where its content starts. */
  readonly start: number;
  readonly end: number;
}

/** Real files have about a hundred. */
const BOXES_MAX = 10_000;
/** The largest table of an hour of sound has 1.4 MB. */
const CONTENT_BYTES_MAX = 4 * 1024 * 1024;

/** Reads boxes one level at a time, so the caller controls the depth; their number is bounded. */
export function createBoxReader(source: ByteSource) {
  let read = 0;

  async function list({ start, end }: Pick<Box, 'start' | 'end'>): Promise<Box[]> {
    const boxes = await listUntilOther(start, end);
    const listed = boxes.at(-1)?.end ?? start;
    if (listed + 8 <= end) throw new UnusableAudioError('a box is larger than what holds it');
    return boxes;
  }

  /** The boxes before the first bytes that are no box. */
  async function listUntilOther(start: number, end: number): Promise<Box[]> {
    const boxes: Box[] = [];
    for (let at = start; at + 8 <= end;) {
      if ((read += 1) > BOXES_MAX) throw new UnusableAudioError('too many boxes');
      const box = await findBox(at, end);
      if (box === undefined) break;
      boxes.push(box);
      at = box.end;
    }
    return boxes;
  }

  async function findBox(at: number, end: number): Promise<Box | undefined> {
    const head = await readBytes(source, at, 16);
    if (head.byteLength < 8) return undefined;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.byteLength === 16;
    const size = short === 0 ? end - at : isLong ? Number(head.readBigUInt64BE(8)) : short;
    const headBytes = isLong ? 16 : 8;
    if (size < headBytes || at + size > end) return undefined;
    return { type: head.toString('latin1', 4, 8), headStart: at, start: at + headBytes, end: at + size };
  }

  return {
    /** The boxes of the file. Taggers append tags of other formats, which players ignore. */
    top: () => listUntilOther(0, source.size),
    list,
    /** The content of a required, unique box. */
    async content(boxes: readonly Box[], type: string, bytesMax = CONTENT_BYTES_MAX): Promise<Buffer> {
      const { start, end } = requireBox(boxes, type);
      if (end - start > bytesMax) throw new UnusableAudioError(`${type} is too large`);
      return readBytes(source, start, end - start);
    },
  };
}

export type BoxReader = ReturnType<typeof createBoxReader>;

/** Throws `UnusableAudioError` unless there is exactly one. */
export function requireBox(boxes: readonly Box[], type: string): Box {
  const [box, another] = boxes.filter((candidate) => candidate.type === type);
  if (box === undefined || another !== undefined) throw new UnusableAudioError(`not one ${type}`);
  return box;
}

export function has(boxes: readonly Box[], type: string): boolean {
  return boxes.some((box) => box.type === type);
}

export function makeBox(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.byteLength + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}
