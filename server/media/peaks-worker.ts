import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import decode from 'audio-decode';
import { PEAK_BARS } from '../../contract/peaks.ts';
import { readBytes, withByteSource } from './audio-source.ts';
import type { AudioFile } from './audio-source.ts';
import type { PeaksReply, PeaksRequest } from './peaks.ts';

/** Samples are reduced to blocks while they are decoded: an hour of sound is never in memory at once. */
const BLOCK_SAMPLES = 256;
const CHUNK_BYTES = 64 * 1024;

const port = parentPort;
if (port === null) throw new Error('peaks-worker runs as a worker thread');
port.on('message', ({ id, file }: PeaksRequest) => {
  void readPeaks(file)
    .catch(() => null)
    .then((peaks) => port.postMessage({ id, peaks } satisfies PeaksReply));
});

async function readPeaks(file: AudioFile): Promise<number[] | null> {
  const mark = await withByteSource(file, (source) => readBytes(source, 4, 4));
  const isMp4 = mark.toString('latin1') === 'ftyp';
  const blocks: number[] = [];
  let loudest = 0;
  let filled = 0;
  for await (const { channelData } of decode(chunksOf(file), isMp4 ? 'm4a' : 'mp3')) {
    const [left, right] = channelData;
    if (left === undefined) continue;
    for (let index = 0; index < left.length; index += 1) {
      const sample = Math.max(
        Math.abs(left[index] ?? 0),
        right === undefined ? 0 : Math.abs(right[index] ?? 0),
      );
      if (sample > loudest) loudest = sample;
      filled += 1;
      if (filled === BLOCK_SAMPLES) {
        blocks.push(loudest);
        loudest = 0;
        filled = 0;
      }
    }
  }
  if (filled > 0) blocks.push(loudest);
  return blocks.length === 0 ? null : toBars(blocks);
}

/** The blocks folded into bars, scaled so that the loudest is 1; silence stays flat at 0. */
function toBars(blocks: readonly number[]): number[] {
  const bars = Array.from({ length: PEAK_BARS }, (_, bar) => {
    const start = Math.floor((bar * blocks.length) / PEAK_BARS);
    const end = Math.max(start + 1, Math.floor(((bar + 1) * blocks.length) / PEAK_BARS));
    return blocks.slice(start, end).reduce((loudest, block) => Math.max(loudest, block), 0);
  });
  const top = Math.max(...bars);
  return top === 0 ? bars : bars.map((bar) => bar / top);
}

async function* chunksOf(file: AudioFile): AsyncGenerator<Uint8Array> {
  if (!(file instanceof Uint8Array)) {
    yield* createReadStream(file.path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
    return;
  }
  for (let start = 0; start < file.byteLength; start += CHUNK_BYTES) {
    yield file.subarray(start, start + CHUNK_BYTES);
  }
}
