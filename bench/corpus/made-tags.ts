import { makeBox } from '../../tests/support/files/audio-files.ts';

/** Tags as other programs write them, but neither FFmpeg nor LAME. */

/** `雨の音` as Windows programs of the 2000s wrote it. */
export const RAIN_IN_SHIFT_JIS = Buffer.from([0x89, 0x4a, 0x82, 0xcc, 0x89, 0xb9]);

/** An ID3v2 tag with one text frame; unsynchronised as a whole, as in v2.3 (§5). */
export function makeTitleTag(
  version: 2 | 3 | 4,
  encoding: number,
  text: Buffer<ArrayBufferLike>,
  { isUnsynchronised = false } = {},
): Buffer {
  const content = Buffer.concat([Buffer.from([encoding]), text]);
  const head = Buffer.alloc(version === 2 ? 6 : 10);
  head.write(version === 2 ? 'TT2' : 'TIT2', 'latin1');
  if (version === 2) head.writeUIntBE(content.byteLength, 3, 3);
  else head.writeUInt32BE(content.byteLength, 4);
  const frame = Buffer.concat([head, content]);
  const body = isUnsynchronised ? unsynchronise(frame) : frame;
  if (body.byteLength > 127) throw new RangeError('too long for this simple a tag');
  const flags = isUnsynchronised ? 0x80 : 0;
  return Buffer.concat([
    Buffer.from('ID3'),
    Buffer.from([version, 0, flags, 0, 0, 0, body.byteLength]),
    body,
  ]);
}

/** No byte 0xff is followed by a byte that could look like a frame header. */
function unsynchronise(bytes: Buffer): Buffer {
  return Buffer.from(
    [...bytes].flatMap((byte, at) => {
      const next = bytes[at + 1] ?? 0;
      return byte === 0xff && (next >= 0xe0 || next === 0) ? [byte, 0] : [byte];
    }),
  );
}

/** FFmpeg's AAC encoder starts with a frame of silence. */
const FRAME = 1_024;
const PRIMING = 1_024;

/** The padding at an M4A's ends as iTunes records it: in a tag, without an edit list. */
export function toItunSmpb(m4a: Buffer, samples: number): Buffer {
  const hex = (value: number, digits = 8) => value.toString(16).toUpperCase().padStart(digits, '0');
  const behind = Math.ceil((samples + PRIMING) / FRAME) * FRAME - samples - PRIMING;
  const text = ` ${hex(0)} ${hex(PRIMING)} ${hex(behind)} ${hex(samples, 16)} ${hex(0)} ${hex(0)}`;
  const zero = Buffer.alloc(4);
  const item = makeBox(
    '----',
    makeBox('mean', zero, Buffer.from('com.apple.iTunes')),
    makeBox('name', zero, Buffer.from('iTunSMPB')),
    makeBox('data', Buffer.from([0, 0, 0, 1]), zero, Buffer.from(text)),
  );
  const at = m4a.indexOf('ilst') - 4;
  if (at < 0) throw new Error('no tags to add to');
  const end = at + m4a.readUInt32BE(at);
  const grown = Buffer.concat([m4a.subarray(0, end), item, m4a.subarray(end)]);
  for (const type of ['moov', 'udta', 'meta', 'ilst']) {
    const box = grown.indexOf(type, grown.indexOf('moov')) - 4;
    grown.writeUInt32BE(grown.readUInt32BE(box) + item.byteLength, box);
  }
  return grown;
}

/** An M4A of 22.05 kHz that announces spectral band replication, as HE-AAC encoders do (ISO 14496-3 §1.6.5). */
export function toSbr(m4a: Buffer): Buffer {
  const at = m4a.indexOf(Buffer.from([0x56, 0xe5, 0x00]));
  if (at < 0) throw new Error('FFmpeg says nothing of HE-AAC');
  const changed = Buffer.from(m4a);
  changed[at + 2] = 0x80 | (4 << 3); // 44.1 kHz
  return changed;
}
