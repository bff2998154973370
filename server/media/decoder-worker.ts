import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import decode from 'audio-decode';
import { planM4a } from './audio-m4a.ts';
import { readBytes, withByteSource } from './audio-source.ts';
import type { AudioFile } from './audio-source.ts';
import { readChannels } from './channel-count.ts';
import type { DecoderReply, DecoderRequest } from './decoder.ts';
import { createGapDetector } from './decoding-gaps.ts';
import { createSoundAnalysis } from './sound-analysis.ts';
import type { SoundAnalysis } from './sound-analysis.ts';

/** Small chunks locate losses in an M4A within half a second at 128 kbit/s. */
const CHUNK_BYTES = { mp3: 64 * 1024, m4a: 8 * 1024 };

const port = parentPort;
if (port === null) throw new Error('decoder-worker runs as a worker thread');
// The decoder reports every unreadable frame: a damaged file would fill the log.
console.error = () => undefined;
port.on('message', ({ file }: DecoderRequest) => {
  void analyse(file)
    .catch(() => null)
    .then((analysis) => port.postMessage({ analysis } satisfies DecoderReply));
});

/** Measures everything in one pass while the sound is decoded; null if there are no samples. */
async function analyse(file: AudioFile): Promise<SoundAnalysis | null> {
  const { format, channels, gaps } = await withByteSource(file, async (source) => {
    const mark = await readBytes(source, 4, 4);
    const isMp4 = mark.toString('latin1') === 'ftyp';
    const channels = await readChannels(source, isMp4).catch(() => ({ count: 1, configuration: 1 }) as const);
    // Throws for damaged tables: the decoder trusts their counts, which takes minutes or crashes the process.
    if (isMp4) await planM4a(source);
    const gaps = isMp4 ? await createGapDetector(source) : undefined;
    return { format: isMp4 ? ('m4a' as const) : ('mp3' as const), channels, gaps };
  });
  let analysis: ReturnType<typeof createSoundAnalysis> | undefined;
  let fedBytes = 0;
  let samples = 0;
  async function* feed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(file, CHUNK_BYTES[format])) {
      fedBytes += chunk.byteLength;
      yield chunk;
    }
  }
  for await (const { channelData, sampleRate } of decode(feed(), format)) {
    analysis ??= createSoundAnalysis(sampleRate, channels);
    analysis.add(channelData);
    samples += channelData[0]?.length ?? 0;
    gaps?.note(fedBytes, samples, sampleRate);
  }
  const measured = analysis?.finish() ?? null;
  const gaps_ms = gaps?.gapsMs() ?? [];
  if (measured === null || gaps_ms.length === 0) return measured;
  return { ...measured, findings: { ...measured.findings, gaps_ms } };
}

async function* chunksOf(file: AudioFile, chunkBytes: number): AsyncGenerator<Uint8Array> {
  if (!(file instanceof Uint8Array)) {
    yield* createReadStream(file.path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
    return;
  }
  for (let start = 0; start < file.byteLength; start += chunkBytes) {
    yield file.subarray(start, start + chunkBytes);
  }
}
