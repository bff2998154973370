import {
  DRAWING_LIMITS,
  MISS_LIMITS,
  PROCESSOR_LIMITS,
  READ_LIMITS,
  toPageLimits,
} from '../limits/read-limits.ts';
import { createAdmission, unlimitedAdmission } from '../limits/admission.ts';
import { createProcessorMeter } from '../limits/processor-time.ts';
import type { Admission } from '../limits/admission.ts';
import type { Budgets } from '../limits/budgets.ts';
import type { PageServer } from '../limits/read-limits.ts';
import type { ProcessorMeter } from '../limits/processor-time.ts';
import { createAddressBudgets } from './address-budgets.ts';
import { toNetworkGroup } from './address-limits.ts';

/** What limits the work that visitors cause by reading. Callers are addresses; those of a network wait in one line. */
export interface Admissions {
  /** Pages that must be rendered; cached ones cost nothing here. */
  readonly pages: Admission;
  /** Reads of the API from outside. */
  readonly reads: Admission;
  /** Pictures of shared links that must be drawn. */
  readonly drawings: Admission;
  /** Requests for files that do not exist. */
  readonly misses: Admission;
}

/** For benches (RATE_LIMITS=off). */
export const unlimitedAdmissions: Admissions = {
  pages: unlimitedAdmission,
  reads: unlimitedAdmission,
  drawings: unlimitedAdmission,
  misses: unlimitedAdmission,
};

/** Those of one process. Pages, reads and drawings use up one budget of processor time. */
export function createAdmissions(
  server: PageServer,
  meter: ProcessorMeter = createProcessorMeter(),
  budgets: Budgets = createAddressBudgets(PROCESSOR_LIMITS),
): Admissions {
  const toLine = toNetworkGroup;
  const measure = (perMs: number) => ({ meter, toCost: (ms: number) => ms * perMs });
  const { pages, perMs } = toPageLimits(server);
  return {
    pages: createAdmission({ ...pages, budgets, toLine, measured: measure(perMs) }),
    reads: createAdmission({ ...READ_LIMITS, budgets, toLine, measured: measure(1) }),
    drawings: createAdmission({ ...DRAWING_LIMITS, budgets, toLine }),
    misses: createAdmission({
      ...MISS_LIMITS.queue,
      budgets: createAddressBudgets(MISS_LIMITS.budget),
      toLine,
    }),
  };
}
