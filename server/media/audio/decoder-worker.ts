import { parentPort } from 'node:worker_threads';
import decode from 'audio-decode';
import { planM4a } from './m4a.ts';
import { readBytes, withByteSource } from './source.ts';
import type { AudioFile } from './source.ts';
import { readChannels } from './channel-count.ts';
import type { DecoderReply, DecoderRequest } from './decoder.ts';
import { createGapDetector } from './decoding-gaps.ts';
import { createSoundAnalysis } from '../analysis/sound-analysis.ts';
import type { SoundAnalysis } from '../analysis/sound-analysis.ts';

const MP3_STEP_BYTES = 64 * 1024;

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
function analyse(file: AudioFile): Promise<SoundAnalysis | null> {
  return withByteSource(file, async (source) => {
    const mark = await readBytes(source, 4, 4);
    const isMp4 = mark.toString('latin1') === 'ftyp';
    const channels = await readChannels(source, isMp4).catch(() => ({ count: 1, configuration: 1 }) as const);
    // Throws for damaged tables: the decoder trusts their counts, which takes minutes or crashes the process.
    const gaps = isMp4
      ? await createGapDetector(source, (await planM4a(source)).facts.durationMs)
      : undefined;
    let analysis: ReturnType<typeof createSoundAnalysis> | undefined;
    let fedBytes = 0;
    let samples = 0;
    async function* feed(): AsyncGenerator<Uint8Array> {
      while (fedBytes < source.size) {
        const end = gaps?.nextStep(fedBytes) ?? fedBytes + MP3_STEP_BYTES;
        const step = await readBytes(source, fedBytes, end - fedBytes);
        fedBytes += step.byteLength;
        yield step;
      }
    }
    for await (const { channelData, sampleRate } of decode(feed(), isMp4 ? 'm4a' : 'mp3')) {
      analysis ??= createSoundAnalysis(sampleRate, channels);
      analysis.add(channelData);
      samples += channelData[0]?.length ?? 0;
      gaps?.note(fedBytes, samples, sampleRate);
    }
    const measured = analysis?.finish() ?? null;
    const gaps_ms = gaps?.gapsMs() ?? [];
    if (measured === null || gaps_ms.length === 0) return measured;
    return { ...measured, findings: { ...measured.findings, gaps_ms } };
  });
}
