import type { AdmissionOptions } from './admission.ts';
import type { BudgetOptions } from './budgets.ts';

/** Hardly noticeable for a person; limits a connection that is refused repeatedly to two requests a second. */
const REFUSAL_DELAY_MS = 500;

/**
 * Pages that must be rendered; cached ones cost nothing here. A page takes about 10 ms of the single processor, five
 * concurrent listing pages about 45 ms. The budget of an address group: a school of 1,000 pupils who open a page every
 * four seconds, six of seven from the cache, needs 36 renderings a second.
 */
export function toPageLimits({
  apiOrigin,
  database,
}: {
  /** Null: this process serves the API. */
  readonly apiOrigin: string | null;
  readonly database: { readonly kind: 'sqlite' | 'postgres' };
}): AdmissionOptions {
  return {
    // Two renderings would only share the processor. While they wait for I/O, others continue.
    concurrency: apiOrigin !== null ? 32 : database.kind === 'postgres' ? 3 : 1,
    waitingMax: 128,
    waitMsMax: 1_500,
    burst: 2_400,
    perSec: 40,
    refusalDelayMs: REFUSAL_DELAY_MS,
  };
}

/** Reads of the API from outside: about 1 to 5 ms each. Pages ask once or twice while they are used. */
export const API_READ_LIMITS: AdmissionOptions = {
  concurrency: 4,
  waitingMax: 128,
  waitMsMax: 1_500,
  burst: 6_000,
  perSec: 100,
  refusalDelayMs: REFUSAL_DELAY_MS,
};

/** Requests for files that do not exist, each of which costs a look-up. Pages ask for one that was just deleted at most. */
export const MISS_LIMITS: AdmissionOptions = {
  concurrency: 64,
  waitingMax: 128,
  waitMsMax: 1_500,
  burst: 1_000,
  perSec: 10,
  refusalDelayMs: REFUSAL_DELAY_MS,
};

/** Pictures of shared links that must be drawn: 0.1 s of a core each. An address group uses 5 % of a core. */
export const DRAWING_LIMITS: AdmissionOptions = {
  concurrency: 1,
  waitingMax: 32,
  waitMsMax: 5_000,
  burst: 60,
  perSec: 0.5,
  refusalDelayMs: REFUSAL_DELAY_MS,
};

/** Lines of the request log. A line has at most 900 bytes: one address group fills 324 MB an hour at most. */
export const LOG_LINE_LIMITS: BudgetOptions = { burst: 6_000, perSec: 100 };
