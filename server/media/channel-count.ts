import { createBoxReader, one } from './audio-m4a-boxes.ts';
import { readCodec } from './audio-m4a-codec.ts';
import { readFrame } from './audio-mp3-frames.ts';
import { readId3Size } from './audio-mp3.ts';
import { readBytes } from './audio-source.ts';
import type { ByteSource } from './audio-source.ts';

/** Before the first frame of a stored MP3 there may be a tag, where nobody uploaded it. */
const MP3_HEAD_BYTES = 64 * 1024;
const PATH_TO_CODEC = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/** How many channels a sound file has by its own word, since the decoder folds two that are the same. */
export async function readChannelCount(source: ByteSource, isMp4: boolean): Promise<1 | 2> {
  return isMp4 ? readM4aChannels(source) : readMp3Channels(source);
}

async function readMp3Channels(source: ByteSource): Promise<1 | 2> {
  const tag = await readBytes(source, 0, 10);
  const start = tag.toString('latin1', 0, 3) === 'ID3' ? readId3Size(tag) : 0;
  const head = await readBytes(source, start, MP3_HEAD_BYTES);
  for (let at = head.indexOf(0xff); at !== -1; at = head.indexOf(0xff, at + 1)) {
    // ISO 11172-3 §2.4.2.3: mode 3 is one channel, all others are two.
    if (readFrame(head, at) !== undefined) return (head[at + 3] ?? 0) >> 6 === 3 ? 1 : 2;
  }
  return 1;
}

async function readM4aChannels(source: ByteSource): Promise<1 | 2> {
  const reader = createBoxReader(source);
  let boxes = await reader.top();
  for (const type of PATH_TO_CODEC) boxes = await reader.list(one(boxes, type));
  // What the sample entry says of channels is 2 in most files, whatever they have.
  return (await readCodec(reader, one(boxes, 'stsd'))).channelCount;
}
