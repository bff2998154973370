import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import decode from 'audio-decode';
import { readBytes, withByteSource } from './audio-source.ts';
import type { AudioFile } from './audio-source.ts';
import { readChannels } from './channel-count.ts';
import type { PeaksReply, PeaksRequest } from './peaks.ts';
import { createSoundAnalysis } from './sound-analysis.ts';
import type { SoundAnalysis } from './sound-analysis.ts';

const CHUNK_BYTES = 64 * 1024;

const port = parentPort;
if (port === null) throw new Error('peaks-worker runs as a worker thread');
// The decoder tells of every frame it cannot read: a broken file would fill the log.
console.error = () => undefined;
port.on('message', ({ id, file }: PeaksRequest) => {
  void analyse(file)
    .catch(() => null)
    .then((analysis) => port.postMessage({ id, analysis } satisfies PeaksReply));
});

/** Everything is measured in one pass, while the sound is decoded; null where there is none. */
async function analyse(file: AudioFile): Promise<SoundAnalysis | null> {
  const { isMp4, channels } = await withByteSource(file, async (source) => {
    const mark = await readBytes(source, 4, 4);
    const isMp4 = mark.toString('latin1') === 'ftyp';
    const channels = await readChannels(source, isMp4).catch(() => ({ count: 1, configuration: 1 }) as const);
    return { isMp4, channels };
  });
  let analysis: ReturnType<typeof createSoundAnalysis> | undefined;
  for await (const { channelData, sampleRate } of decode(chunksOf(file), isMp4 ? 'm4a' : 'mp3')) {
    analysis ??= createSoundAnalysis(sampleRate, channels);
    analysis.add(channelData);
  }
  return analysis?.finish() ?? null;
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
