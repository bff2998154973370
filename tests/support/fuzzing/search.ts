import { setImmediate } from 'node:timers/promises';
import type { Coverage } from './coverage.ts';
import { createMutator, createPick } from './mutations.ts';
import type { Budget, Fault, Report, Target } from './target.ts';

/** Reading the counters takes longer than most inputs: so many share a reading, and run again if it shows something. */
const BATCH = 16;
/** Work that grows with the square of the length takes seconds. */
const PROCESSOR_MS_MAX = 600;

/**
 * Changes inputs, keeps those that reach new code, and changes these again, until the budget is spent or faults are found.
 * `onInput` is called before each run.
 */
export async function search(
  target: Target,
  coverage: Coverage,
  { seed, runs: runsMax, seconds }: Budget,
  onInput: (input: Uint8Array) => void,
): Promise<Report> {
  const pick = createPick(seed);
  const tokens = target.tokens.map((token) =>
    typeof token === 'string' ? Buffer.from(token, 'latin1') : Buffer.from(token),
  );
  const mutate = createMutator({ pick, tokens, bytesMax: target.bytesMax });
  const corpus: Buffer[] = (await target.seeds()).map((bytes) => Buffer.from(bytes));
  const faults = new Map<string, Fault>();
  let runs = 0;
  let accepted = 0;

  async function run(input: Buffer): Promise<void> {
    onInput(input);
    runs += 1;
    const note = (what: string) => {
      const known = faults.get(toKind(what));
      if (known === undefined || known.input.byteLength > input.byteLength)
        faults.set(toKind(what), { what, input });
    };
    const { processorMsMax = PROCESSOR_MS_MAX } = target;
    const first = await read(input);
    // The first run may have paid for a collection of garbage.
    const tookMs =
      first.tookMs > processorMsMax ? Math.min(first.tookMs, (await read(input)).tookMs) : first.tookMs;
    if (tookMs > processorMsMax) note(`takes ${Math.round(tookMs)} ms of processor time`);
    if ('error' in first) {
      const { error } = first;
      if (!target.isRefusal(error))
        note(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return;
    }
    accepted += 1;
    const outputMax = target.outputMax?.(input.byteLength) ?? Infinity;
    if (first.output > outputMax) note(`makes ${first.output} bytes, more than ${outputMax}`);
  }

  async function read(input: Buffer) {
    const before = process.threadCpuUsage();
    const result = await readOnce(Buffer.from(input));
    const { user, system } = process.threadCpuUsage(before);
    return { ...result, tookMs: (user + system) / 1_000 };
  }

  async function readOnce(input: Buffer): Promise<{ output: number } | { error: unknown }> {
    try {
      return { output: (await target.read(input)) ?? 0 };
    } catch (error) {
      return { error };
    }
  }

  coverage.hasNew(false); // what made the seeds
  for (const input of corpus) await run(input);
  coverage.hasNew(true);
  const seedShare = coverage.share();

  const began = process.threadCpuUsage();
  const readSeconds = () => {
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1e6;
  };
  const isOver = () => runs >= runsMax || readSeconds() > seconds || faults.size > 0;
  while (!isOver()) {
    const batch = Array.from({ length: BATCH }, (): Buffer => {
      // What was found last is changed more often.
      const input =
        corpus[pick(2) === 0 ? pick(corpus.length) : corpus.length - 1 - pick(Math.min(8, corpus.length))];
      const changed = mutate(input ?? Buffer.alloc(0), corpus[pick(corpus.length)] ?? Buffer.alloc(0));
      return target.repair !== undefined && pick(2) === 0 ? target.repair(Buffer.from(changed)) : changed;
    });
    for (const input of batch) await run(input);
    await setImmediate(); // errors in callbacks end the thread
    if (!coverage.hasNew(false)) continue;
    for (const input of batch) {
      await run(input);
      if (coverage.hasNew(true)) corpus.push(input);
    }
  }
  const perSecond = runs / readSeconds();
  return {
    runs,
    perSecond,
    accepted,
    kept: corpus.length,
    seedShare,
    share: coverage.share(),
    faults: [...faults.values()],
  };
}

/** Faults that differ only in numbers are one. */
function toKind(what: string): string {
  return what.replace(/\d+/g, '');
}
