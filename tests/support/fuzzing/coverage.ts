import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

/** For each character of a file's source. */
const IN_FUNCTION = 1;
const HAS_RUN = 2;

/** Which code of some files has run since they were loaded. */
export interface Coverage {
  /** Whether code has run since the last call that had never run; `isKept`: this code counts as run from now on. */
  hasNew(isKept: boolean): boolean;
  /** The share of the code of functions that has run. */
  share(): number;
}

/** Starts V8's counters of blocks, which count in code that is loaded from now on. Returns what reads them. */
export function startCounting(): (files: readonly string[]) => Coverage {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

  function take(files: readonly string[]): Profiler.ScriptCoverage[] {
    let scripts: Profiler.ScriptCoverage[] = [];
    // The callback is called at once.
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      scripts = result.filter(({ url }) => files.some((file) => url.endsWith(file)));
    });
    return scripts;
  }

  return (files) => {
    const sources = new Map(take(files).map((script) => [script.url, openSource(script)]));
    return {
      hasNew(isKept) {
        let isNew = false;
        for (const script of take(files)) {
          const source = sources.get(script.url);
          if (source !== undefined) isNew = addRun(source, script, isKept) || isNew;
        }
        return isNew;
      },
      share() {
        const states = [...sources.values()].flatMap((source) => [...source]);
        const inFunctions = states.filter((state) => state & IN_FUNCTION);
        return inFunctions.filter((state) => state & HAS_RUN).length / Math.max(1, inFunctions.length);
      },
    };
  };
}

/** The first function is the module itself, which contains all others. */
function openSource({ functions: [module, ...others] }: Profiler.ScriptCoverage): Uint8Array {
  const source = new Uint8Array(module?.ranges[0]?.endOffset ?? 0);
  for (const { ranges } of others) {
    for (const { startOffset, endOffset } of ranges) source.fill(IN_FUNCTION, startOffset, endOffset);
  }
  return source;
}

/** Ranges are listed before those inside them. */
function addRun(source: Uint8Array, { functions }: Profiler.ScriptCoverage, isKept: boolean): boolean {
  const run = new Uint8Array(source.length);
  for (const { ranges } of functions) {
    for (const { count, startOffset, endOffset } of ranges)
      run.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  let isNew = false;
  for (let at = 0; at < run.length; at += 1) {
    const state = source[at] ?? 0;
    if (run[at] === 0 || state & HAS_RUN) continue;
    isNew = true;
    if (!isKept) break;
    source[at] = state | HAS_RUN;
  }
  return isNew;
}
