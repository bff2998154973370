import { fetchBytes } from '../../api/files.ts';
import { findLoopSpan } from './loop-span.ts';

/** Two minutes at 320 kbit/s take 4.8 MB. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** The same for all files, so that memory is bounded; browsers resample. */
const SAMPLE_RATE = 48_000;
/** Against a click at the first sample. */
const FADE_SEC = 0.01;
/** A context that iOS has interrupted may never answer. */
const RESUMPTION_MS_MAX = 2_000;

/** Samples that are heard in place of an element. */
export interface SeamlessLoop {
  /** What is heard now, in seconds from the start of the sound. */
  readSec(): number;
  seekTo(sec: number): void;
}

/** Shared, because browsers allow only a few. */
let context: AudioContext | undefined;

/**
 * Silences an element and repeats its sound from samples, until it is ended. Pause, resumption and volume follow the
 * element. Rejects if that is not possible.
 */
export async function replaceElement(
  element: HTMLAudioElement,
  ending: AbortController,
): Promise<SeamlessLoop> {
  const { signal } = ending;
  const bytes = await fetchBytes(element.src, FILE_BYTES_MAX, signal);
  context ??= new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: 'playback' });
  const output = context;
  // Not a part of every browser. Without it, iOS silences samples by its ring switch, unlike elements.
  const { audioSession } = navigator as { audioSession?: { type: string } };
  const head = new Uint8Array(bytes.slice(0, 4_096));
  const buffer = await output.decodeAudioData(bytes);
  const span = findLoopSpan(head, buffer.duration);
  await resumeOutput(output);
  signal.throwIfAborted();

  const length = span.endSec - span.startSec;
  const gain = output.createGain();
  gain.connect(output.destination);
  let source: AudioBufferSourceNode | undefined;
  let fromSec = element.currentTime % length;
  let startedAt = 0;

  const readSec = () => (source ? (fromSec + output.currentTime - startedAt) % length : fromSec);
  const stop = () => {
    fromSec = readSec();
    source?.stop();
    source?.disconnect();
    source = undefined;
  };
  const play = () => {
    stop();
    source = output.createBufferSource();
    Object.assign(source, { buffer, loop: true, loopStart: span.startSec, loopEnd: span.endSec });
    source.connect(gain);
    startedAt = output.currentTime;
    gain.gain.cancelScheduledValues(startedAt);
    gain.gain.setValueAtTime(0, startedAt);
    gain.gain.linearRampToValueAtTime(element.volume, startedAt + FADE_SEC);
    source.start(startedAt, span.startSec + fromSec);
  };
  const resume = () => {
    void output.resume();
    play();
  };
  const setVolume = () => {
    gain.gain.cancelScheduledValues(output.currentTime);
    gain.gain.setTargetAtTime(element.volume, output.currentTime, FADE_SEC);
  };
  const pause = () => {
    stop();
    void output.suspend();
  };
  const followOutput = () => {
    // By a phone call, for example.
    if (output.state !== 'interrupted') return;
    ending.abort();
    replaceContext();
  };

  element.addEventListener('pause', pause, { signal });
  element.addEventListener('play', resume, { signal });
  output.addEventListener('statechange', followOutput, { signal });
  element.addEventListener('volumechange', setVolume, { signal });
  signal.addEventListener('abort', () => {
    pause();
    gain.disconnect();
    if (audioSession) audioSession.type = 'auto';
    element.currentTime = fromSec;
    element.muted = false;
  });
  element.muted = true;
  if (audioSession) audioSession.type = 'playback';
  if (!element.paused) play();
  return {
    readSec,
    seekTo(sec) {
      const wasPlaying = source !== undefined;
      stop();
      fromSec = sec % length;
      if (wasPlaying) play();
    },
  };
}

/** Rejects if the context does not answer; the next loop gets another one. */
async function resumeOutput(output: AudioContext): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('the output does not resume')), RESUMPTION_MS_MAX);
    output.resume().then(resolve, reject);
  }).catch((error: unknown) => {
    replaceContext();
    throw error;
  });
}

function replaceContext(): void {
  void context?.close().catch(() => undefined);
  context = undefined;
}
