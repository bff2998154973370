import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

const collect = runInNewContext('gc') as () => void;

/**
 * Collects garbage at once. What remains is in use, so that a measurement does not depend on when V8 collects. V8 frees
 * buffers on another thread, and a collection begins by waiting for the one before.
 */
export function collectGarbage(): void {
  collect();
  collect();
}
