import type { AdmissionOptions, QueueLimits } from './admission.ts';
import type { BudgetOptions } from './budgets.ts';

/** Hardly noticeable for a person; limits a connection that is refused repeatedly to two requests a second. */
const REFUSAL_DELAY_MS = 500;
/** Work that takes longer waits for the dictionary of searches or for a queue of the database. */
const SLOT_MS_MAX = 500;

type WorkLimits = QueueLimits & Pick<AdmissionOptions, 'cost'>;

/**
 * Milliseconds of the processor that the pages, reads and drawings of one network may take: in any hour at most 350 s,
 * which is less than a tenth of a core, and 5 % of a core for ever. What is saved up is for many who start at once: a
 * school of 1,000 pupils who open a page every four seconds, six of seven from the cache, needs 36 renderings a second.
 */
export const PROCESSOR_LIMITS: BudgetOptions = { burst: 170_000, perSec: 50 };

/** What a process that serves pages is made of. */
export interface PageServer {
  /** Null: this process serves the API. */
  readonly apiOrigin: string | null;
  readonly database: { readonly kind: 'sqlite' | 'postgres' };
}

/**
 * Pages that must be rendered, and what a millisecond of rendering costs in all: a page is compressed by another thread
 * afterwards, which takes one and a half times as long.
 */
export function toPageLimits({ apiOrigin, database }: PageServer): { pages: WorkLimits; perMs: number } {
  return {
    pages: {
      // Two renderings would only share the processor. While they wait for I/O, others continue.
      concurrency: apiOrigin !== null ? 32 : database.kind === 'postgres' ? 3 : 1,
      waitingMax: 128,
      waitMsMax: 1_500,
      ...(apiOrigin === null && { slotMsMax: SLOT_MS_MAX }),
      refusalDelayMs: REFUSAL_DELAY_MS,
      cost: 5,
    },
    perMs: 2.5,
  };
}

/** Reads of the API from outside: most take about a millisecond. */
export const READ_LIMITS: WorkLimits = {
  concurrency: 4,
  waitingMax: 128,
  waitMsMax: 1_500,
  slotMsMax: SLOT_MS_MAX,
  refusalDelayMs: REFUSAL_DELAY_MS,
  cost: 2,
};

/** Pictures of shared links that must be drawn: 0.1 s of a core each, on other threads. */
export const DRAWING_LIMITS: WorkLimits = {
  concurrency: 1,
  waitingMax: 32,
  waitMsMax: 5_000,
  refusalDelayMs: REFUSAL_DELAY_MS,
  cost: 100,
};

/**
 * Requests for files that do not exist, each of which costs a look-up. Pages ask for one that was just deleted at most.
 * The budget counts requests of a network.
 */
export const MISS_LIMITS: { readonly queue: QueueLimits; readonly budget: BudgetOptions } = {
  queue: { concurrency: 64, waitingMax: 128, waitMsMax: 1_500, refusalDelayMs: REFUSAL_DELAY_MS },
  budget: { burst: 1_000, perSec: 10 },
};

/** Lines of the request log. A line has at most 900 bytes: one network fills 20 MB in an hour at most. */
export const LOG_LINE_LIMITS: BudgetOptions = { burst: 6_000, perSec: 4 };
