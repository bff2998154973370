/**
 * The process of the decoding thread. Its main thread does no work, so it detects at once when the server exits, and
 * exits as well even while the thread is busy.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

// When memory runs out, the kernel kills this process before the server (Linux only; needs no privilege).
try {
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Not Linux.
}
// Requests come first.
setPriority(10);
// A process manager may signal all processes of the service; only the server decides when decoding stops.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

const worker = new Worker(new URL('./decoder-worker.ts', import.meta.url), {
  // A small young generation: decoded samples are short-lived.
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 },
});
// An 'exit' event follows.
worker.on('error', () => undefined);
worker.on('exit', () => process.exit(1));
worker.on('message', (reply: object) => void process.send?.(reply));
process.on('message', (request) => worker.postMessage(request));
