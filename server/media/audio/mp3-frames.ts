/** The header of one frame of MPEG audio layer 3 (ISO 11172-3, 13818-3). */
export interface Mp3Frame {
  /** Bytes, including the header. */
  readonly length: number;
  readonly samples: number;
  readonly sampleRateHz: number;
  /** Bytes between the header and the position where an encoder may have put its info tag. */
  readonly sideBytes: number;
}

/** The longest frame: 320 kbit/s at 32 kHz, and a byte of padding. */
export const FRAME_BYTES_MAX = 1_441;
const HEADER_BYTES = 4;
const SAMPLE_RATES = [44_100, 48_000, 32_000];
const KBPS_MPEG1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBPS_MPEG2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Whether the two bytes may start a frame of layer 3; most other data is recognised by them. */
export function isSync(first: number | undefined, second: number | undefined): boolean {
  return first === 0xff && second !== undefined && (second & 0xe6) === 0xe2;
}

/** The frame that starts at `at`; undefined if there is none, or it has another layer or a free bit rate. */
export function readFrame(bytes: Uint8Array, at: number): Mp3Frame | undefined {
  if (!isSync(bytes[at], bytes[at + 1])) return undefined;
  const kind = bytes[at + 1] ?? 0;
  const rates = bytes[at + 2] ?? 0;
  const mode = bytes[at + 3] ?? 0;
  const version = (kind >> 3) & 3;
  const sampleRate = SAMPLE_RATES[(rates >> 2) & 3];
  const isMpeg1 = version === 3;
  const kbps = (isMpeg1 ? KBPS_MPEG1 : KBPS_MPEG2)[(rates >> 4) - 1];
  if (version === 1 || sampleRate === undefined || kbps === undefined) return undefined;
  const sampleRateHz = sampleRate / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const samples = isMpeg1 ? 1_152 : 576;
  const isMono = mode >> 6 === 3;
  return {
    length: Math.floor((samples * kbps * 125) / sampleRateHz) + ((rates >> 1) & 1),
    samples,
    sampleRateHz,
    sideBytes: isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  };
}

export function isSameKind(one: Mp3Frame, other: Mp3Frame): boolean {
  return one.sampleRateHz === other.sampleRateHz && one.samples === other.samples;
}

/** The encoder's info tag with the length of the sound, in a silent first frame. */
interface InfoTag {
  /** Offset of the number of frames in the frame; of the number of bytes. Absent if not recorded. */
  readonly framesAt: number | undefined;
  readonly bytesAt: number | undefined;
}

/** The info tag of Xing and LAME, or Fraunhofer (VBRI); undefined in an audible frame. */
function findInfoTag(frame: Buffer, { sideBytes }: Mp3Frame): InfoTag | undefined {
  const at = HEADER_BYTES + sideBytes;
  if (/^(?:Xing|Info)$/.test(frame.toString('latin1', at, at + 4)) && frame.byteLength >= at + 16) {
    const flags = frame.readUInt32BE(at + 4);
    const framesAt = flags & 1 ? at + 8 : undefined;
    return { framesAt, bytesAt: flags & 2 ? at + (framesAt === undefined ? 8 : 12) : undefined };
  }
  const vbriAt = HEADER_BYTES + 32;
  return frame.toString('latin1', vbriAt, vbriAt + 4) === 'VBRI' && frame.byteLength >= vbriAt + 18
    ? { framesAt: vbriAt + 14, bytesAt: vbriAt + 10 }
    : undefined;
}

/** After the name of the encoder in its info tag, as written by LAME and FFmpeg. */
const PADDING_OFFSET = 21;

/** Padding samples at both ends, according to the encoder; 0 if it does not record them. */
export function readPadding(frame: Buffer, { sideBytes }: Mp3Frame): number {
  const at = HEADER_BYTES + sideBytes;
  if (!/^(?:Xing|Info)$/.test(frame.toString('latin1', at, at + 4))) return 0;
  const flags = frame.readUInt32BE(at + 4);
  const fields = [4, 4, 100, 4].filter((_, bit) => (flags >> bit) & 1);
  const nameAt = fields.reduce((sum, bytes) => sum + bytes, at + 8);
  if (frame.byteLength < nameAt + PADDING_OFFSET + 3) return 0;
  if (!/^(?:LAME|Lav[cf])$/.test(frame.toString('latin1', nameAt, nameAt + 4))) return 0;
  const both = frame.readUIntBE(nameAt + PADDING_OFFSET, 3);
  return (both >> 12) + (both & 0xfff);
}

export function hasInfoTag(frame: Buffer, header: Mp3Frame): boolean {
  return findInfoTag(frame, header) !== undefined;
}

/** The frame with corrected numbers in its info tag. Encoders' counts differ by one frame, which is not corrected. */
export function correctInfoTag(
  frame: Buffer,
  header: Mp3Frame,
  { frames, bytes }: { readonly frames: number; readonly bytes: number },
): Buffer {
  const { framesAt, bytesAt } = findInfoTag(frame, header) ?? {};
  const corrected = Buffer.from(frame);
  if (framesAt !== undefined && Math.abs(frame.readUInt32BE(framesAt) - frames) > 1) {
    corrected.writeUInt32BE(frames, framesAt);
  }
  if (bytesAt !== undefined && Math.abs(frame.readUInt32BE(bytesAt) - bytes) > FRAME_BYTES_MAX) {
    corrected.writeUInt32BE(bytes, bytesAt);
  }
  return corrected;
}
