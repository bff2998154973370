import { createMp3Encoder } from 'wasm-media-encoders';

const SAMPLE_RATE = 44_100;

/** A real MP3: silence that rises to a tone, so that its waveform rises. */
export async function makeMp3(seconds = 1): Promise<Uint8Array> {
  const samples = Math.round(seconds * SAMPLE_RATE);
  const wave = Float32Array.from(
    { length: samples },
    (_, index) => Math.sin(index * 0.06) * 0.8 * (index / samples),
  );
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: SAMPLE_RATE, channels: 1, bitrate: 96 });
  const body = encoder.encode([wave]).slice();
  return Buffer.concat([body, encoder.finalize()]);
}

/** One frame (1,024 samples) of AAC-LC, mono, silent. */
const SILENT_FRAME = Uint8Array.of(0x00, 0xc8, 0x00, 0x80, 0x23, 0x80);

/** A real M4A: `frames` silent AAC frames in an MP4 file (ISO 14496-12, -14). */
export function makeM4a(frames = 43): Uint8Array {
  const length = frames * 1_024;
  const ftyp = box('ftyp', text('M4A '), u32(0), text('M4A '), text('isom'));
  const mdat = box('mdat', ...Array.from({ length: frames }, () => SILENT_FRAME));
  const moov = (firstChunk: number) =>
    box(
      'moov',
      fullBox(
        'mvhd',
        u32(0, 0, SAMPLE_RATE, length, 0x10000),
        u16(0x100),
        zeros(10),
        MATRIX,
        zeros(24),
        u32(2),
      ),
      box(
        'trak',
        fullBox('tkhd', u32(0, 0, 1, 0, length), zeros(8), u16(0, 0, 0x100, 0), MATRIX, u32(0, 0)),
        box(
          'mdia',
          fullBox('mdhd', u32(0, 0, SAMPLE_RATE, length), u16(0x55c4, 0)),
          fullBox('hdlr', u32(0), text('soun'), zeros(12), text('sound\0')),
          box(
            'minf',
            fullBox('smhd', u32(0)),
            box('dinf', fullBox('dref', u32(1), box('url ', u32(1)))),
            box(
              'stbl',
              fullBox('stsd', u32(1), mp4a()),
              fullBox('stts', u32(1, frames, 1_024)),
              fullBox('stsc', u32(1, 1, frames, 1)),
              fullBox('stsz', u32(SILENT_FRAME.byteLength, frames)),
              fullBox('stco', u32(1, firstChunk)),
            ),
          ),
        ),
      ),
    );
  const size = ftyp.byteLength + moov(0).byteLength;
  return Buffer.concat([ftyp, moov(size + 8), mdat]);
}

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function mp4a(): Buffer {
  // AudioSpecificConfig: AAC-LC, 44.1 kHz, one channel.
  const specific = Buffer.of(0x05, 2, 0x12, 0x08);
  const config = Buffer.concat([
    Buffer.of(0x04, 13 + specific.byteLength, 0x40, 0x15, 0, 0, 0),
    u32(2_000, 2_000),
    specific,
  ]);
  const sync = Buffer.of(0x06, 1, 2);
  const descriptor = Buffer.concat([u16(1), Buffer.of(0), config, sync]);
  const esds = fullBox('esds', Buffer.of(0x03, descriptor.byteLength), descriptor);
  return box('mp4a', zeros(6), u16(1), zeros(8), u16(1, 16, 0, 0), u32(SAMPLE_RATE * 0x10000), esds);
}

function box(type: string, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.byteLength + 8), text(type), body]);
}
function fullBox(type: string, ...parts: Uint8Array[]): Buffer {
  return box(type, u32(0), ...parts);
}
function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}
function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}
function text(value: string): Buffer {
  return Buffer.from(value, 'latin1');
}
function zeros(length: number): Buffer {
  return Buffer.alloc(length);
}
