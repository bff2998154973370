import { parentPort, workerData } from 'node:worker_threads';
import { startCounting } from './coverage.ts';
import { search } from './search.ts';
import type { Target } from './target.ts';
import { HEAD_BYTES } from './task.ts';
import type { Task } from './task.ts';

const { module, name, budget, current } = workerData as Task;
const numbers = new Int32Array(current, 0, 2);
const bytes = new Uint8Array(current, HEAD_BYTES);

const watch = startCounting();
const { TARGETS } = (await import(module)) as { TARGETS: readonly Target[] };
const target = TARGETS.find((each) => each.name === name);
if (target === undefined) throw new Error(`${module} has no target ${name}`);
const report = await search(target, watch(target.files), budget, (input) => {
  bytes.set(input.subarray(0, bytes.byteLength));
  numbers[1] = input.byteLength;
  Atomics.add(numbers, 0, 1);
});
parentPort?.postMessage(report);
