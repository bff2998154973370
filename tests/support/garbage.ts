import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage at once. What remains is in use, so that a measurement does not depend on when V8 collects. */
export const collectGarbage = runInNewContext('gc') as () => void;
