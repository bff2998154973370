import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withCleanAudio } from '../../server/media/audio/audio.ts';
import { SECONDS } from './file.ts';
import type { CorpusFile, Signal, Work } from './file.ts';
import type { Answer, ArtistHost } from './host.ts';
import { decode, probe, runOrThrow } from './tools.ts';

const DURATION_TOLERANCE_SECONDS = 0.06;

export interface Outcome {
  readonly name: string;
  readonly is: 'accepted' | 'refused';
  /** All deviations from the expected result. */
  readonly faults: readonly string[];
  readonly bytes: number;
  /** For the stored file; absent if nothing is stored. */
  readonly stored?: { readonly answer: Answer; readonly path: string; readonly samplesTooMany: number };
}

/** Creates one file, uploads it, and checks the result. */
export async function checkFile(
  host: ArtistHost,
  folder: string,
  file: CorpusFile,
  index: number,
): Promise<Outcome> {
  const signal: Signal = { sampleRateHz: 44_100, channels: 2, ...file.signal };
  const extension = file.name.slice(-4);
  const work: Work = {
    wav: join(folder, `${index}.wav`),
    to: join(folder, `${index}${extension}`),
    cover: join(folder, 'cover.jpg'),
  };
  makeSignal(work.wav, signal, index);
  file.make(work);
  const sent = readFileSync(work.to);
  const answer = await host.upload(file.name, sent);
  const about = { name: file.name, bytes: sent.byteLength };
  const shouldBe = file.isRefused ? 'refused' : 'accepted';
  if ('refused' in answer) {
    const faults = shouldBe === 'refused' ? [] : [`refused: ${answer.refused}`];
    return { ...about, is: 'refused', faults };
  }
  const stored = join(folder, `${index} stored${extension}`);
  writeFileSync(stored, await host.download(answer));
  const faults = [
    ...(shouldBe === 'refused' ? ['accepted'] : []),
    ...checkFacts(file, answer, work.to),
    ...checkSamples(work.to, stored),
    ...(await checkCleaning(stored)),
  ];
  const peaks = await host.waitForPeaks(answer);
  if (new Set(peaks).size < 5) faults.push(`flat waveform ${peaks.slice(0, 8)}`);
  return {
    ...about,
    is: 'accepted',
    faults,
    stored: { answer, path: stored, samplesTooMany: countSamplesTooMany(stored) },
  };
}

/** A rising tone on the left, a steady one on the right, both growing, so that all passages differ. */
function makeSignal(wav: string, { sampleRateHz, channels }: Signal, index: number): void {
  const left = `0.6*sin(2*PI*(${300 + index}+400*t)*t)*(0.1+t/3)`;
  const right = `0.4*sin(2*PI*${500 + index}*t)*(0.1+t/3)`;
  const tones = channels === 1 ? left : `${left}|${right}`;
  const source = `aevalsrc=${tones}:s=${sampleRateHz}:d=${SECONDS}`;
  runOrThrow('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-c:a', 'pcm_s16le', wav]);
}

export function makeCover(folder: string): void {
  const cover = join(folder, 'cover.jpg');
  runOrThrow('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=300x300',
    '-frames:v',
    '1',
    cover,
  ]);
}

function checkFacts({ name, title }: CorpusFile, answer: Answer, path: string): string[] {
  const { seconds, sampleRateHz } = probe(path);
  const decodedSeconds = countSamples(path) / sampleRateHz;
  const faults: string[] = [];
  // FFmpeg estimates lengths that the file does not state, and counts an MP3's padding: its decoded length is more
  // reliable.
  const isNear = [seconds, decodedSeconds].some(
    (right) => Math.abs(answer.duration_ms / 1000 - right) <= DURATION_TOLERANCE_SECONDS,
  );
  if (!isNear) {
    faults.push(
      `${answer.duration_ms} ms in place of ${Math.round(seconds * 1000)}, or ${Math.round(decodedSeconds * 1000)}`,
    );
  }
  if (answer.sample_rate_hz !== sampleRateHz) {
    faults.push(`${answer.sample_rate_hz} Hz in place of ${sampleRateHz}`);
  }
  const expected = title ?? name.slice(0, -4);
  if (answer.title !== expected) faults.push(`title “${answer.title}” in place of “${expected}”`);
  return faults;
}

/** The stored file must sound like the one that was sent. */
function checkSamples(sent: string, stored: string): string[] {
  const [before, after] = [decode(sent), decode(stored)];
  if (after.complaints !== '') return [`FFmpeg of the stored: ${after.complaints.trim().split('\n')[0]}`];
  if (before.output.equals(after.output)) return [];
  const least = Math.min(before.output.byteLength, after.output.byteLength);
  let largest = 0;
  for (let at = 0; at < least; at += 2) {
    largest = Math.max(largest, Math.abs(before.output.readInt16LE(at) - after.output.readInt16LE(at)));
  }
  const difference = (after.output.byteLength - before.output.byteLength) / 2;
  return [`other samples: ${difference} more, the largest difference ${largest}`];
}

async function checkCleaning(stored: string): Promise<string[]> {
  const { tags, streams } = probe(stored);
  const faults = tags.length > 0 ? [`tags left: ${tags.join(', ')}`] : [];
  if (streams !== 1) faults.push(`${streams} streams`);
  const bytes = readFileSync(stored);
  const again = await withCleanAudio({ path: stored }, async (audio) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of audio.bytes()) chunks.push(chunk);
    return Buffer.concat(chunks);
  });
  return again.equals(bytes) ? faults : [...faults, 'cleaned twice it is another'];
}

/** The encoder's padding at the ends if players are not told to skip it: 0 loops without a gap. */
function countSamplesTooMany(stored: string): number {
  return countSamples(stored) - Math.round(SECONDS * probe(stored).sampleRateHz);
}

/** One channel, as FFmpeg decodes it. */
function countSamples(path: string): number {
  const args = ['-v', 'error', '-i', path, '-map', '0:a:0', '-ac', '1', '-f', 's16le', '-'];
  return runOrThrow('ffmpeg', args).byteLength / 2;
}
