import { UnusableAudioError } from './facts.ts';
import { has, makeBox, requireBox } from './m4a-boxes.ts';
import type { Box, BoxReader } from './m4a-boxes.ts';
import { listItunesItems } from './m4a-items.ts';
import { u32 } from './m4a-sizes.ts';
import type { ByteSource } from './source.ts';

const SMALL_BYTES_MAX = 1_024;
/** Encoders insert up to a few thousand silent samples at the start, including iTunes. */
const PADDING_SAMPLES_MAX = 16_384;

/** The audible part of a track: without it, a loop has a gap where the encoder padded its ends. */
export interface Edit {
  /** In movie units; 0: until the end. */
  readonly duration: number;
  /** In track units; -1: silence. */
  readonly start: number;
}

/** A track's edit list (ISO 14496-12 §8.6.6); empty without such a box. */
export async function readEdits(reader: BoxReader, track: readonly Box[]): Promise<readonly Edit[]> {
  if (!has(track, 'edts')) return [];
  const edits = await reader.list(requireBox(track, 'edts'));
  if (!has(edits, 'elst')) return [];
  const list = await reader.content(edits, 'elst', SMALL_BYTES_MAX);
  const isLong = list[0] === 1;
  const width = isLong ? 20 : 12;
  const count = u32(list, 4);
  if (list.byteLength < 8 + count * width) throw new UnusableAudioError('edits are missing');
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * width;
    return isLong
      ? { duration: Number(list.readBigUInt64BE(at)), start: Number(list.readBigInt64BE(at + 8)) }
      : { duration: list.readUInt32BE(at), start: list.readInt32BE(at + 4) };
  });
}

/** The rewritten boxes, at normal speed. */
export function makeEdits(edits: readonly Edit[]): Buffer[] {
  if (edits.length === 0) return [];
  const list = Buffer.alloc(8 + edits.length * 20);
  list[0] = 1;
  list.writeUInt32BE(edits.length, 4);
  for (const [index, { duration, start }] of edits.entries()) {
    const at = 8 + index * 20;
    list.writeBigUInt64BE(BigInt(duration), at);
    list.writeBigInt64BE(BigInt(start), at + 8);
    list.writeUInt32BE(0x10000, at + 16);
  }
  return [makeBox('edts', makeBox('elst', list))];
}

/**
 * Converts the padding that iTunes records in a tag instead of an edit list into an edit; none without the tag. A
 * damaged tag is ignored.
 */
export async function readItunesEdit(
  source: ByteSource,
  { samples, sampleRateHz, movieTimescale, trackTimescale }: ItunesEditOf,
): Promise<readonly Edit[]> {
  const note = await findItunesNote(source).catch((error: unknown) => {
    if (error instanceof UnusableAudioError) return '';
    throw error;
  });
  const [, before = '', after = '', audible = ''] = note.trim().split(/\s+/);
  const [skipped, padding, length] = [before, after, audible].map((hex) => Number.parseInt(hex, 16));
  if (skipped === undefined || padding === undefined || length === undefined) return [];
  const isCredible =
    skipped <= PADDING_SAMPLES_MAX &&
    padding <= PADDING_SAMPLES_MAX &&
    skipped + length <= samples &&
    samples - skipped - length <= PADDING_SAMPLES_MAX &&
    length > 0;
  if (!isCredible) return [];
  return [
    {
      duration: Math.round((length * movieTimescale) / sampleRateHz),
      start: Math.round((skipped * trackTimescale) / sampleRateHz),
    },
  ];
}

export interface ItunesEditOf {
  /** The total length of the frames. */
  readonly samples: number;
  readonly sampleRateHz: number;
  readonly movieTimescale: number;
  readonly trackTimescale: number;
}

async function findItunesNote(source: ByteSource): Promise<string> {
  const { reader, items } = await listItunesItems(source);
  for (const item of items.filter(({ type }) => type === '----')) {
    const parts = await reader.list(item);
    const name = await reader.content(parts, 'name', SMALL_BYTES_MAX);
    if (name.toString('latin1', 4) !== 'iTunSMPB') continue;
    return (await reader.content(parts, 'data', SMALL_BYTES_MAX)).toString('latin1', 8);
  }
  return '';
}
