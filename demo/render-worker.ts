import { parentPort } from 'node:worker_threads';
import type { SoundSpec } from './catalogue.ts';
import { renderSound } from './render.ts';

/** Answers each { index, spec } with { index, mp3, durationMs }. */
parentPort?.on('message', ({ index, spec }: { index: number; spec: SoundSpec }) => {
  const { mp3, durationMs } = renderSound(spec);
  const own = mp3.slice();
  parentPort?.postMessage({ index, mp3: own, durationMs }, [own.buffer]);
});
