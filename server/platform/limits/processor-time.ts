import { AsyncLocalStorage } from 'node:async_hooks';

/** A piece of work that is measured. */
interface Work {
  readonly caller: string;
  ms: number;
}

/** Measures the processor time of pieces of work that are under way at the same time. */
export interface ProcessorMeter {
  /** Does the work for a caller, and reports the milliseconds that it took, also if it fails. */
  measure<Result>(caller: string, work: () => Promise<Result>, report: (ms: number) => void): Promise<Result>;
}

const current = new AsyncLocalStorage<Work>();

/** Whom the work under way is done for; '' for this process itself. */
export function findCaller(): string {
  return current.getStore()?.caller ?? '';
}

/** Adds what the work under way causes on other threads, which is not measured. */
export function addProcessorMs(ms: number): void {
  const work = current.getStore();
  if (work !== undefined) work.ms += ms;
}

/**
 * Measures the main thread. What it does while several pieces of work are under way is divided equally among them: Node
 * does not tell whose it was. With SQLite a piece has the thread nearly to itself until it is done.
 */
export function createProcessorMeter(readMs: () => number = readThreadMs): ProcessorMeter {
  const underWay = new Set<Work>();
  let readAt = readMs();

  function divide(): void {
    const now = readMs();
    const each = (now - readAt) / underWay.size;
    for (const work of underWay) work.ms += each;
    readAt = now;
  }

  return {
    async measure(caller, run, report) {
      const work: Work = { caller, ms: 0 };
      divide();
      underWay.add(work);
      try {
        return await current.run(work, run);
      } finally {
        divide();
        underWay.delete(work);
        report(work.ms);
      }
    },
  };
}

/** The processor time of the calling thread, which other processes of the machine do not slow down. */
function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
