import { findOtherCodec } from '../../../contract/sounds/audio-formats.ts';
import { UnsupportedAudioError, UnusableAudioError } from './facts.ts';
import { makeBox, requireBox } from './m4a-boxes.ts';
import type { Box, BoxReader } from './m4a-boxes.ts';
import { u32 } from './m4a-sizes.ts';

export interface AacCodec {
  /** The rewritten `stsd`, with what decoding needs. */
  readonly description: Buffer;
  /** The audible rate; twice the core's for HE-AAC, which synthesises half of the spectrum. */
  readonly sampleRateHz: number;
  readonly coreRateHz: number;
  /** Of the core, which always produces as many per frame. */
  readonly samplesPerFrame: 960 | 1_024;
  /** Of the core (ISO 14496-3 table 1.19); 0 where channels are listed individually. */
  readonly channelConfiguration: number;
}

/**
 * An `stsd` starts with version, flags and count; an audio sample entry starts with 28 bytes (ISO 14496-12 §12.2.3).
 */
const DESCRIPTION_BYTES = 8;
const ENTRY_BYTES = 28;
const ESDS_BYTES_MAX = 512;
/** The fields of a DecoderConfigDescriptor before the codec's: stream type, buffer and bit rates. */
const DECODER_BYTES = 13;
/** The stream type, in the second byte. */
const SOUND_STREAM = 0x15;
/** If channels are listed individually, the list has no fixed length. */
const LISTED_CONFIG_BYTES = 64;
/** MPEG-1 and MPEG-2 audio in an MP4 file (ISO 14496-1 §7.2.6.6). */
const MP3_OBJECTS = new Set([0x69, 0x6b]);
/** MPEG-4 audio and the three profiles of MPEG-2 AAC (ISO 14496-1 §7.2.6.6). */
const AAC_OBJECTS = new Set([0x40, 0x66, 0x67, 0x68]);
/** Main, LC, SSR, LTP, and the first two ways of HE-AAC (ISO 14496-3 §1.5.1). */
const AAC_TYPES = new Set([1, 2, 3, 4, 5, 29]);
/** The sync extension that announces a second configuration, and its type, 5, in eleven and five bits. */
const SYNC_EXTENSION = 0x56e5;
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];

/**
 * Throws `UnusableAudioError` for everything but plain AAC, including encrypted AAC; for known codecs it is an
 * `UnsupportedAudioError`.
 */
export async function readCodec(reader: BoxReader, { start, end }: Box): Promise<AacCodec> {
  const entries = await reader.list({ start: start + DESCRIPTION_BYTES, end });
  const other = entries.map(({ type }) => findOtherCodec(type)).find((name) => name !== undefined);
  if (other !== undefined) throw new UnsupportedAudioError(other);
  const entry = requireBox(entries, 'mp4a');
  if (entries.length !== 1) throw new UnusableAudioError('more than one codec');
  const head = await reader.content(
    [{ ...entry, type: 'head', end: Math.min(entry.end, entry.start + ENTRY_BYTES) }],
    'head',
  );
  if (head.byteLength < ENTRY_BYTES || head.readUInt16BE(8) !== 0)
    throw new UnusableAudioError('an unknown entry');
  const parts = await reader.list({ start: entry.start + ENTRY_BYTES, end: entry.end });
  const esds = await reader.content(parts, 'esds', ESDS_BYTES_MAX);
  const count = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]);
  const { decoder, config } = readDescriptors(esds);
  const stream = makeBox('esds', makeDescriptors(decoder, config));
  return {
    description: makeBox('stsd', count, makeBox('mp4a', cleanEntry(head), stream)),
    ...readRates(config),
    // The four bits after the type and the rate.
    channelConfiguration: ((config[1] ?? 0) >> 3) & 15,
  };
}

/** The head of a sample entry with channels and rate, which are ignored if there is an `esds`. */
function cleanEntry(head: Buffer): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeUInt16BE(1, 6);
  head.copy(entry, 16, 16, 18);
  entry.writeUInt16BE(16, 18);
  head.copy(entry, 24, 24, 28);
  return entry;
}

/** Descends to the decoder's specific configuration (ISO 14496-1 §7.2.6). */
function readDescriptors(esds: Buffer): { decoder: Buffer; config: Buffer } {
  const stream = openDescriptor(esds.subarray(4), 0x03);
  const flags = stream[2] ?? 0;
  if ((flags & 0xe0) !== 0) throw new UnusableAudioError('a stream that depends on another');
  const decoder = openDescriptor(stream.subarray(3), 0x04);
  const object = decoder[0] ?? 0;
  if (MP3_OBJECTS.has(object)) throw new UnsupportedAudioError('MP4に入ったMP3');
  if (!AAC_OBJECTS.has(object)) throw new UnusableAudioError('not AAC');
  const config = openDescriptor(decoder.subarray(DECODER_BYTES), 0x05);
  return { decoder: decoder.subarray(0, DECODER_BYTES), config: cutConfig(config) };
}

/** The rewritten content of an `esds`. */
function makeDescriptors(decoder: Buffer, config: Buffer): Buffer {
  const own = Buffer.from(decoder);
  own[1] = SOUND_STREAM;
  const inside = makeDescriptor(0x04, own, makeDescriptor(0x05, config));
  const stream = makeDescriptor(0x03, Buffer.alloc(3), inside, makeDescriptor(0x06, Buffer.from([2])));
  return Buffer.concat([Buffer.alloc(4), stream]);
}

function makeDescriptor(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, content.byteLength]), content]);
}

function openDescriptor(bytes: Buffer, tag: number): Buffer {
  if (bytes[0] !== tag) throw new UnusableAudioError('a descriptor is missing');
  let size = 0;
  let at = 1;
  for (; at <= 4; at += 1) {
    const byte = bytes[at] ?? 0;
    size = size * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return bytes.subarray(at + 1, at + 1 + size);
}

/** An AudioSpecificConfig (ISO 14496-3 §1.6.2.1) without trailing data. */
function cutConfig(config: Buffer): Buffer {
  const [first = 0, second = 0] = config;
  const isListed = ((second >> 3) & 15) === 0;
  if (isListed) return config.subarray(0, LISTED_CONFIG_BYTES);
  const [, , , , more = 0, last = 0] = config;
  if (hasExtension(config)) return config.subarray(0, (more & 7) === 5 && last === 0x48 ? 7 : 5);
  const hasDelay = (second & 2) !== 0;
  return config.subarray(0, first >> 3 >= 5 || hasDelay ? 4 : 2);
}

/** HE-AAC signalled so that older decoders read it as plain AAC (§1.6.5). */
function hasExtension(config: Buffer): boolean {
  return config.byteLength >= 5 && config.readUInt16BE(2) === SYNC_EXTENSION;
}

/** Of an AudioSpecificConfig (ISO 14496-3 §1.6.2.1); the flag of short frames follows rate and channels (§4.4.1). */
function readRates(config: Buffer): Pick<AacCodec, 'sampleRateHz' | 'coreRateHz' | 'samplesPerFrame'> {
  const bits = u32(Buffer.concat([config, Buffer.alloc(8)]), 0);
  const type = bits >>> 27;
  if (!AAC_TYPES.has(type)) throw new UnusableAudioError(`audio object type ${type}`);
  const coreRateHz = toRate((bits >>> 23) & 15);
  const toSamples = (isShort: number) => (isShort === 1 ? 960 : 1_024);
  if (type === 5 || type === 29) {
    const samplesPerFrame = toSamples((bits >>> 9) & 1);
    return { coreRateHz, sampleRateHz: toRate((bits >>> 15) & 15), samplesPerFrame };
  }
  const [more = 0] = config.subarray(4);
  return {
    coreRateHz,
    samplesPerFrame: toSamples((bits >>> 18) & 1),
    sampleRateHz: hasExtension(config) && (more & 0x80) !== 0 ? toRate((more >> 3) & 15) : coreRateHz,
  };
}

function toRate(index: number): number {
  const rate = SAMPLE_RATES[index];
  if (rate === undefined) throw new UnusableAudioError(`sample rate ${index}`);
  return rate;
}
