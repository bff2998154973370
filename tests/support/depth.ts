import { setTimeout as wait } from 'node:timers/promises';

/** Whether this is `npm run soak`: long tests at full length, and every API test on both databases. */
export const isSoak = process.env['SOAK'] === '1';

/** The length of a test in `npm test` and in `npm run soak`. */
export function depth<Value>(short: Value, full: Value): Value {
  return isSoak ? full : short;
}

/**
 * A pause of random length in `npm run soak`, before a process is killed. In `npm test` there is none: the process is
 * killed right after the step that it has reported, the same one each time.
 */
export async function pauseBeforeKill(longestMs: number): Promise<void> {
  await wait(depth(0, Math.random() * longestMs));
}

/**
 * Where random tests start: the same in every `npm test`, so that no commit is red by chance; another in every soak.
 * `FUZZ_SEED` repeats a run that failed.
 */
export const SEED = Number(process.env['FUZZ_SEED'] ?? depth(20_261_124, Date.now() % 2 ** 31));
