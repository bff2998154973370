/**
 * The process of the decoding thread. Its main thread does no work, so it detects at once when the server exits, and
 * exits as well even while the thread is busy.
 */
import { Worker } from 'node:worker_threads';
import { beChild } from '../child-duties.ts';

beChild();

const worker = new Worker(new URL('./decoder-worker.ts', import.meta.url), {
  // A small young generation: decoded samples are short-lived.
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 },
});
// An 'exit' event follows.
worker.on('error', () => undefined);
worker.on('exit', () => process.exit(1));
worker.on('message', (reply: object) => void process.send?.(reply));
process.on('message', (request) => worker.postMessage(request));
