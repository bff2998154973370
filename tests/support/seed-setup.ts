/** Gives every property that names no seed of its own the seed of the run. */
import * as fc from 'fast-check';
import { SEED } from './depth.ts';

fc.configureGlobal({ seed: SEED });
