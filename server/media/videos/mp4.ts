import { createBoxReader, requireBox } from '../audio/m4a-boxes.ts';
import type { Box, BoxReader } from '../audio/m4a-boxes.ts';
import type { ByteSource } from '../audio/source.ts';
import type { VideoFacts } from './videos.ts';

/** Boxes of a whole file (ISO 14496-12 §6.2.3); one of fragments says no duration. */
const TOP = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pdin', 'meta', 'uuid']);
/** H.264, H.265, AV1 and VP9, which browsers play. */
const CODECS = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'av01', 'vp09']);
/** Where a visual sample entry says width and height, after the head of `stsd` (ISO 14496-12 §12.1.3). */
const SIZE_AT = 8 + 32;

/** Reads the structure of an MP4 file. Throws a description of what is wrong. */
export async function readMp4Facts(source: ByteSource): Promise<VideoFacts> {
  const reader = createBoxReader(source);
  const top = await reader.top();
  const end = top.at(-1)?.end;
  if (top[0]?.type !== 'ftyp' || end !== source.size)
    throw new Error('is cut off, or has data beside its boxes');
  const strange = top.find(({ type }) => !TOP.has(type));
  if (strange !== undefined) throw new Error(`has a box ${JSON.stringify(strange.type)}`);
  if (!top.some(({ type, start, end }) => type === 'mdat' && end > start)) throw new Error('has no content');
  const movie = await reader.list(requireBox(top, 'moov'));
  const tracks = movie.filter(({ type }) => type === 'trak');
  const videos = await Promise.all(tracks.map((track) => readVideo(reader, track)));
  const [video, another] = videos.filter((each) => each !== undefined);
  if (video === undefined || another !== undefined) throw new Error('has not one track of video');
  return { ...video, tracks: tracks.length, seconds: toSeconds(await reader.content(movie, 'mvhd')) };
}

/** The picture of a track; undefined for other tracks. */
async function readVideo(reader: BoxReader, track: Box) {
  const media = await reader.list(requireBox(await reader.list(track), 'mdia'));
  const handler = await reader.content(media, 'hdlr');
  if (handler.toString('latin1', 8, 12) !== 'vide') return undefined;
  const table = await reader.list(requireBox(await reader.list(requireBox(media, 'minf')), 'stbl'));
  const entries = await reader.content(table, 'stsd');
  const sizes = await reader.content(table, 'stsz');
  const codec = entries.toString('latin1', 12, 16);
  if (!CODECS.has(codec) || entries.byteLength < SIZE_AT + 4)
    throw new Error(`has video of type ${JSON.stringify(codec)}`);
  if (sizes.byteLength < 12 || sizes.readUInt32BE(8) === 0) throw new Error('has no pictures');
  return { width: entries.readUInt16BE(SIZE_AT), height: entries.readUInt16BE(SIZE_AT + 2) };
}

/** Of `mvhd`, in its version 0 or 1. */
function toSeconds(head: Buffer): number {
  const isLong = head[0] === 1;
  if (head.byteLength < (isLong ? 32 : 20)) throw new Error('has no duration');
  const scale = head.readUInt32BE(isLong ? 20 : 12);
  return (isLong ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16)) / scale;
}
