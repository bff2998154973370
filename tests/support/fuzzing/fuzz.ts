import { Worker } from 'node:worker_threads';
import { deflateRawSync } from 'node:zlib';
import { HEAD_BYTES } from './task.ts';
import type { Task } from './task.ts';
import type { Budget, Fault, Report, Target } from './target.ts';

/** An input that is read for so long hangs, on the busiest machine. */
const HANG_MS = 60_000;

/**
 * Searches for inputs that a target of a module, which exports `TARGETS`, does not withstand. In a thread of its own,
 * where V8 counts only the code of the target, and an input that ends the thread or never ends is a fault like others.
 */
export function fuzz(module: URL, { name, bytesMax }: Target, budget: Budget): Promise<Report> {
  const current = new SharedArrayBuffer(HEAD_BYTES + bytesMax);
  const task: Task = { module: module.href, name, budget, current };
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const numbers = new Int32Array(current, 0, 2);
  return new Promise((resolve) => {
    const fail = (what: string) => {
      const input = new Uint8Array(current, HEAD_BYTES).slice(0, numbers[1]);
      const runs = numbers[0] ?? 0;
      resolve({
        runs,
        perSecond: 0,
        accepted: 0,
        kept: 0,
        seedShare: 0,
        share: 0,
        faults: [{ what, input }],
      });
    };
    let seen = -1;
    const watch = setInterval(() => {
      const runs = Atomics.load(numbers, 0);
      if (runs === seen) fail('hangs');
      if (runs === seen) void worker.terminate();
      seen = runs;
    }, HANG_MS);
    worker.on('message', resolve);
    worker.on('error', (error: Error) => fail(error.stack ?? error.message));
    worker.on('exit', (code) => {
      clearInterval(watch);
      if (code !== 0) fail(`ended with ${code}`);
    });
  });
}

/** A fault with its input, which `inflateRawSync(Buffer.from(text, 'base64'))` gives back. */
export function describeFault({ what, input }: Fault): string {
  return `${what}\n${input.byteLength} bytes, deflated: ${deflateRawSync(input).toString('base64')}`;
}

/** One line about a search. */
export function describeReport({ name }: Target, report: Report): string {
  const { runs, perSecond, accepted, kept, seedShare, share } = report;
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  return `${name}: ${runs} inputs, ${Math.round(perSecond)} a second, ${accepted} accepted, ${kept} kept, code ${percent(seedShare)} → ${percent(share)}`;
}
