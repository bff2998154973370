import { makeBox } from '#server/media/audio/m4a-boxes.ts';

export interface VideoShape {
  readonly width?: number;
  readonly height?: number;
  readonly seconds?: number;
  /** How many pictures are listed. */
  readonly pictures?: number;
  readonly codec?: string;
  /** Of the content. */
  readonly bytes?: number;
}

const uint32 = (...numbers: readonly number[]) => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
};

/** The structure of an MP4 video, whose content no decoder could read. */
export function makeMp4Video({
  width = 320,
  height = 180,
  seconds = 6,
  pictures = 60,
  codec = 'avc1',
  bytes = 1_000,
}: VideoShape = {}): Buffer {
  const entry = Buffer.alloc(78);
  entry.writeUInt16BE(width, 24);
  entry.writeUInt16BE(height, 26);
  const table = makeBox(
    'stbl',
    makeBox('stsd', uint32(0, 1), makeBox(codec, entry)),
    makeBox('stsz', uint32(0, 100, pictures)),
  );
  const handler = makeBox('hdlr', uint32(0, 0), Buffer.from('vide'), Buffer.alloc(13));
  const track = makeBox('trak', makeBox('mdia', handler, makeBox('minf', table)));
  const head = makeBox('mvhd', uint32(0, 0, 0, 1_000, seconds * 1_000), Buffer.alloc(80));
  const type = makeBox('ftyp', Buffer.from('mp42'), uint32(0), Buffer.from('mp42isom'));
  return Buffer.concat([type, makeBox('moov', head, track), makeBox('mdat', Buffer.alloc(bytes, 9))]);
}

const toElement = (id: string, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(content.byteLength));
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
};

/** The structure of a WebM video as a browser records it: without a duration, and without sizes of what grows. */
export function makeWebmVideo({
  width = 320,
  height = 180,
  seconds = 6,
  pictures = 60,
  codec = 'V_VP9',
  bytes = 100,
}: VideoShape = {}): Buffer {
  const size = toElement('e0', toElement('b0', uint32(width)), toElement('ba', uint32(height)));
  const number = toElement('d7', uint32(1));
  const track = toElement(
    'ae',
    number,
    toElement('83', uint32(1)),
    toElement('86', Buffer.from(codec)),
    size,
  );
  const blocks = Array.from({ length: pictures }, (_, index) => {
    const start = Math.round(((index + 1) / pictures) * seconds * 1_000);
    return Buffer.concat([
      Buffer.from('1f43b675ff', 'hex'),
      toElement('e7', uint32(start)),
      toElement('a3', Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(bytes, 9)),
    ]);
  });
  return Buffer.concat([
    toElement('1a45dfa3', toElement('4282', Buffer.from('webm'))),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    toElement('1549a966', toElement('2ad7b1', uint32(1_000_000))),
    toElement('1654ae6b', track),
    ...blocks,
  ]);
}
