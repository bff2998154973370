import { describe, expect, test } from 'vitest';
import { SEED, depth, isSoak } from '#support/depth.ts';
import { describeFault, describeReport, fuzz } from '#support/fuzzing/fuzz.ts';
import { TARGETS as BACKUPS } from './backups.ts';
import { TARGETS as PICTURES } from './pictures.ts';
import { TARGETS as SOUNDS } from './sounds.ts';
import { TARGETS as TEXTS } from './texts.ts';
import { TARGETS as UPLOADS } from './uploads.ts';

/** Each module exports the parsers of one kind of input as `TARGETS`. */
const MODULES = {
  './sounds.ts': SOUNDS,
  './pictures.ts': PICTURES,
  './uploads.ts': UPLOADS,
  './texts.ts': TEXTS,
  './backups.ts': BACKUPS,
};
/** `npm test` makes the same inputs each time; a soak makes as many as it can. */
const BUDGET = { seed: SEED, runs: depth(200, Infinity), seconds: depth(Infinity, 30) };

describe.each(Object.entries(MODULES))(
  'inputs that were changed towards new code of %s',
  (module, targets) => {
    test.each(targets.map((target) => [target.name, target] as const))(
      '%s are read or refused within the bounds of processor time and length',
      async (_, target) => {
        const report = await fuzz(new URL(module, import.meta.url), target, BUDGET);
        if (isSoak) console.log(describeReport(target, report));
        expect(report.faults.map(describeFault), `FUZZ_SEED=${SEED}`).toEqual([]);
        expect(report.accepted).toBeGreaterThan(0);
      },
      depth(120_000, 300_000),
    );
  },
);
