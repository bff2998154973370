import type { Channels } from '../analysis/sound-analysis.ts';
import { createBoxReader, requireBox } from './m4a-boxes.ts';
import type { Box, BoxReader } from './m4a-boxes.ts';
import { readCodec } from './m4a-codec.ts';
import { readFrame } from './mp3-frames.ts';
import { readId3Size } from './mp3.ts';
import { readBytes } from './source.ts';
import type { ByteSource } from './source.ts';

/** A stored MP3 that was not uploaded, such as a demo file, may have a tag before its first frame. */
const MP3_HEAD_BYTES = 64 * 1024;
const PATH_TO_TABLE = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

export async function readChannels(source: ByteSource, isMp4: boolean): Promise<Channels> {
  if (isMp4) return readM4aChannels(source);
  const count = await countMp3Channels(source);
  return { count, configuration: count };
}

async function countMp3Channels(source: ByteSource): Promise<1 | 2> {
  const tag = await readBytes(source, 0, 10);
  const start = tag.toString('latin1', 0, 3) === 'ID3' ? readId3Size(tag) : 0;
  const head = await readBytes(source, start, MP3_HEAD_BYTES);
  for (let at = head.indexOf(0xff); at !== -1; at = head.indexOf(0xff, at + 1)) {
    // ISO 11172-3 §2.4.2.3: mode 3 is one channel, all others are two.
    if (readFrame(head, at) !== undefined) return (head[at + 3] ?? 0) >> 6 === 3 ? 1 : 2;
  }
  return 1;
}

/** The boxes of a clean M4A's sample table. */
export async function listSampleTable(reader: BoxReader): Promise<Box[]> {
  let boxes = await reader.top();
  for (const type of PATH_TO_TABLE) boxes = await reader.list(requireBox(boxes, type));
  return boxes;
}

async function readM4aChannels(source: ByteSource): Promise<Channels> {
  const reader = createBoxReader(source);
  const boxes = await listSampleTable(reader);
  // The channel count of the sample entry is 2 in most files, regardless of the content.
  const { channelConfiguration } = await readCodec(reader, requireBox(boxes, 'stsd'));
  return { count: channelConfiguration === 1 ? 1 : 2, configuration: channelConfiguration };
}
