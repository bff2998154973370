/** A whole number from 0 to below `count`. */
export type Pick = (count: number) => number;

/** Mulberry32: small, fast, and the same for a seed. */
export function createPick(seed: number): Pick {
  let state = seed >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
}

/** Numbers at whose sides programs decide otherwise. */
const NUMBERS = [
  0,
  1,
  2,
  3,
  4,
  7,
  8,
  16,
  100,
  127,
  128,
  255,
  256,
  1_024,
  32_767,
  65_535,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
];
const LONG_NUMBERS = [
  0n,
  1n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];
const CHANGES_MAX = 6;
const BLOCK_MAX = 64;
/** One of so many inputs becomes long. */
const LENGTHENED = 32;

export interface Material {
  readonly pick: Pick;
  readonly tokens: readonly Uint8Array[];
  readonly bytesMax: number;
}

/** Returns a function that changes an input at a few places; `other` is an input whose parts may be taken. */
export function createMutator({
  pick,
  tokens,
  bytesMax,
}: Material): (input: Buffer, other: Buffer) => Buffer {
  const from = <Value>(values: readonly Value[]) => values[pick(values.length)] as Value;
  const place = (bytes: Buffer) => pick(bytes.byteLength + 1);
  /** Short ones more often: most fields are short. */
  const length = () => 1 + pick(1 + pick(BLOCK_MAX));
  const block = (bytes: Buffer) => {
    const start = place(bytes);
    // Sometimes half of the input.
    return bytes.subarray(start, start + (pick(8) === 0 ? pick(bytes.byteLength + 1) : length()));
  };
  const replace = (bytes: Buffer, at: number, removed: number, added: Uint8Array) =>
    Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
  const write = (bytes: Buffer, at: number, content: Uint8Array) =>
    replace(bytes, at, content.byteLength, content);
  /** Formats align their fields. */
  const aligned = (bytes: Buffer) => {
    const at = place(bytes);
    return pick(2) === 0 ? at : at - (at % 4);
  };

  const changes: readonly ((bytes: Buffer, other: Buffer) => Buffer)[] = [
    (bytes) => {
      const at = pick(bytes.byteLength);
      return write(bytes, at, Buffer.of((bytes[at] ?? 0) ^ (1 << pick(8))));
    },
    (bytes) => write(bytes, place(bytes), Buffer.of(pick(256))),
    (bytes) => write(bytes, aligned(bytes), toNumber(from(NUMBERS))),
    (bytes) => write(bytes, aligned(bytes), toLong(from(LONG_NUMBERS))),
    (bytes) => {
      const at = aligned(bytes);
      if (at + 4 > bytes.byteLength) return bytes;
      return write(bytes, at, toU32(bytes.readUInt32BE(at) + pick(33) - 16));
    },
    (bytes) => write(bytes, place(bytes), from(tokens)),
    (bytes) => replace(bytes, place(bytes), 0, from(tokens)),
    (bytes) => replaceToken(bytes),
    (bytes) => replace(bytes, place(bytes), length(), Buffer.alloc(0)),
    (bytes) => replace(bytes, place(bytes), block(bytes).byteLength, Buffer.alloc(0)),
    (bytes) => replace(bytes, place(bytes), 0, block(bytes)),
    (bytes) => write(bytes, place(bytes), block(bytes)),
    (bytes, other) => replace(bytes, place(bytes), 0, block(other)),
    (bytes, other) => Buffer.concat([bytes.subarray(0, place(bytes)), other.subarray(place(other))]),
  ];

  /** A token where another one is, as names of boxes and elements are. */
  function replaceToken(bytes: Buffer): Buffer {
    const old = from(tokens);
    const at = bytes.indexOf(old, pick(bytes.byteLength + 1));
    return at === -1 ? bytes : replace(bytes, at, old.byteLength, from(tokens));
  }

  function toNumber(value: number): Buffer {
    const bytes = toU32(value);
    const part = bytes.subarray(from([0, 0, 2, 3]));
    return pick(4) === 0 ? Buffer.from(part.toReversed()) : part;
  }

  /** Repeats a few bytes where they are, or tokens: work that grows faster than its length shows. */
  function lengthen(bytes: Buffer): Buffer {
    const at = place(bytes);
    const own = bytes.subarray(at, at + 1 + pick(4));
    const repeated =
      pick(2) === 0 ? own : Buffer.concat(Array.from({ length: 1 + pick(3) }, () => from(tokens)));
    const room = pick(2) === 0 ? bytesMax - bytes.byteLength : pick(4 * 1_024);
    const size = repeated.byteLength === 0 ? 0 : room - (room % repeated.byteLength);
    return size <= 0 ? bytes : replace(bytes, at, 0, Buffer.alloc(size, repeated));
  }

  return (input, other) => {
    let bytes = input;
    for (let left = 1 + pick(CHANGES_MAX); left > 0; left -= 1) bytes = from(changes)(bytes, other);
    if (pick(LENGTHENED) === 0) bytes = lengthen(bytes);
    return bytes.subarray(0, bytesMax);
  };
}

function toU32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0, 0);
  return bytes;
}

function toLong(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value, 0);
  return bytes;
}
