import type { VideoFacts } from './videos.ts';

/** Ten minutes with 60 pictures and 50 pieces of sound a second have 66,000. */
const ELEMENTS_MAX = 200_000;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const CLUSTER_TIME = 0xe7;
const BLOCKS = new Set([0xa3, 0xa1]);
/** Elements whose content is read, with or without a stated size. */
const MASTERS = new Set([SEGMENT, CLUSTER, BLOCK_GROUP]);
/** What else a WebM file may contain beside its tracks (webmproject.org/docs/container): indexes, tags, times, padding. */
const SKIPPED = new Set([
  0x1c53bb6b, 0x114d9b74, 0x1254c367, 0x1043a770, 0xec, 0xbf, 0xab, 0xa7, 0x9b, 0xfb, 0x75a1, 0x75a2,
]);
const CODEC = /^V_(?:VP8|VP9|AV1)$/;

interface Element {
  readonly id: number;
  readonly start: number;
  /** Exclusive. Of an element of unknown size, the end of what contains it. */
  readonly end: number;
}

/** Reads the structure of a WebM file (RFC 8794, RFC 9559). Throws a description of what is wrong. */
export function readWebmFacts(bytes: Buffer): VideoFacts {
  const list = createReader(bytes);
  const [head, segment] = list(0, bytes.byteLength);
  if (
    head?.id !== 0x1a45dfa3 ||
    toText(
      bytes,
      list(head.start, head.end).find(({ id }) => id === 0x4282),
    ) !== 'webm'
  )
    throw new Error('has no head of a WebM file');
  if (segment?.id !== SEGMENT || segment.end !== bytes.byteLength)
    throw new Error('is cut off, or has data beside its content');
  let scale = 1_000_000;
  let duration = 0;
  let clusterTime = 0;
  let last = 0;
  const tracks: Element[] = [];
  const seen = new Set<number>();
  list(segment.start, segment.end, (element) => {
    const { id, start, end } = element;
    if (id === INFO) {
      const info = list(start, end);
      scale =
        toNumber(
          bytes,
          info.find((each) => each.id === 0x2ad7b1),
        ) ?? scale;
      duration = toFloat(
        bytes,
        info.find((each) => each.id === 0x4489),
      );
    } else if (id === TRACKS) tracks.push(...list(start, end).filter((each) => each.id === 0xae));
    else if (id === CLUSTER_TIME) clusterTime = toNumber(bytes, element) ?? 0;
    else if (BLOCKS.has(id)) {
      if (end - start < 5) throw new Error('has an empty picture');
      const track = readNumber(bytes, start, 8);
      seen.add(track.value);
      last = Math.max(last, clusterTime + bytes.readInt16BE(start + track.length));
    } else if (!MASTERS.has(id) && !SKIPPED.has(id)) throw new Error(`has an element 0x${id.toString(16)}`);
  });
  const videos = tracks
    .map((track) => list(track.start, track.end))
    .filter(
      (each) =>
        toNumber(
          bytes,
          each.find(({ id }) => id === 0x83),
        ) === 1,
    );
  const [video, another] = videos;
  if (video === undefined || another !== undefined) throw new Error('has not one track of video');
  const codec = toText(
    bytes,
    video.find(({ id }) => id === 0x86),
  );
  if (!CODEC.test(codec)) throw new Error(`has video of type ${JSON.stringify(codec)}`);
  if (
    !seen.has(
      toNumber(
        bytes,
        video.find(({ id }) => id === 0xd7),
      ) ?? 0,
    )
  )
    throw new Error('has no pictures');
  const picture = video.find(({ id }) => id === 0xe0);
  const sizes = picture === undefined ? [] : list(picture.start, picture.end);
  const toSide = (wanted: number) =>
    toNumber(
      bytes,
      sizes.find(({ id }) => id === wanted),
    ) ?? 0;
  return {
    tracks: tracks.length,
    width: toSide(0xb0),
    height: toSide(0xba),
    seconds: (Math.max(duration, last) * scale) / 1e9,
  };
}

/** Lists elements, or hands each to `use` and enters masters; their number in one file is bounded. */
function createReader(bytes: Buffer) {
  let read = 0;
  return function list(start: number, end: number, use?: (element: Element) => void): Element[] {
    const found: Element[] = [];
    for (let at = start; at < end;) {
      if ((read += 1) > ELEMENTS_MAX) throw new Error('has too many elements');
      const id = readNumber(bytes, at, 4, true);
      const size = readNumber(bytes, at + id.length, 8);
      const content = at + id.length + size.length;
      const stop = size.isUnknown ? end : content + size.value;
      const element = { id: id.value, start: content, end: stop };
      if (stop > end || (size.isUnknown && !MASTERS.has(id.value)))
        throw new Error('has an element that is cut off');
      if (use === undefined) found.push(element);
      else use(element);
      at = use !== undefined && MASTERS.has(id.value) ? content : stop;
    }
    return found;
  };
}

/** A number of variable length; an id keeps its first bit (RFC 8794 §4). */
function readNumber(bytes: Buffer, at: number, lengthMax: number, isId = false) {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > lengthMax || at + length > bytes.byteLength) throw new Error('has an element that is cut off');
  let value = isId ? first : first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const next = bytes[at + index] ?? 0;
    isUnknown &&= next === 0xff;
    value = value * 256 + next;
  }
  return { value, length, isUnknown };
}

function toNumber(bytes: Buffer, element: Element | undefined): number | undefined {
  if (element === undefined) return undefined;
  let value = 0;
  for (const byte of bytes.subarray(element.start, Math.min(element.end, element.start + 8)))
    value = value * 256 + byte;
  return value;
}

function toFloat(bytes: Buffer, element: Element | undefined): number {
  const length = element === undefined ? 0 : element.end - element.start;
  if (element === undefined || (length !== 4 && length !== 8)) return 0;
  return length === 4 ? bytes.readFloatBE(element.start) : bytes.readDoubleBE(element.start);
}

function toText(bytes: Buffer, element: Element | undefined): string {
  return element === undefined
    ? ''
    : bytes.toString('latin1', element.start, Math.min(element.end, element.start + 32)).replace(/\0+$/, '');
}
