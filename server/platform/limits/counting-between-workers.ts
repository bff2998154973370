import { TooManyRequests } from './rate-limits.ts';
import type { RateLimit, RateLimits } from './rate-limits.ts';

const METHODS = ['take', 'refund', 'reset'] as const;

/** A call of `RateLimits` by a worker. */
interface Question {
  readonly kind: 'rate-limit';
  readonly id: number;
  readonly method: (typeof METHODS)[number];
  readonly limit: RateLimit;
  readonly key: string;
}

interface Answer {
  readonly kind: 'rate-limit';
  readonly id: number;
  /** Set when the limit is exceeded. */
  readonly retryAfterSec: number | null;
  /** Set when the primary could not count. */
  readonly failure: string | null;
}

/** One end of the channel between a worker and its primary. */
export interface Channel {
  send(message: object): void;
  onMessage(listen: (message: unknown) => void): void;
}

/**
 * Counts in the primary, so that a limit applies to all workers of a machine together. `acquire`, for concurrent uses,
 * counts in this worker.
 */
export function createPrimaryRateLimits({ send, onMessage }: Channel, { acquire }: RateLimits): RateLimits {
  /** Calls in progress. */
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  onMessage((message) => {
    if (!isRateLimit(message)) return;
    const answer = message as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const callPrimary =
    (method: Question['method']) =>
    async ({ name, points, perSec }: RateLimit, key: string): Promise<void> => {
      const id = (last += 1);
      const question: Question = { kind: 'rate-limit', id, method, limit: { name, points, perSec }, key };
      const { retryAfterSec, failure } = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve);
        send(question);
      });
      if (retryAfterSec !== null) throw new TooManyRequests(retryAfterSec);
      if (failure !== null) throw new Error(failure);
    };
  return { take: callPrimary('take'), refund: callPrimary('refund'), reset: callPrimary('reset'), acquire };
}

/** The primary's end: counts for one worker. */
export function countForWorker({ send, onMessage }: Channel, rateLimits: RateLimits): void {
  onMessage((message) => {
    if (!isRateLimit(message)) return;
    const { id, method, limit, key } = message as Question;
    const answer = (retryAfterSec: number | null, failure: string | null) =>
      send({ kind: 'rate-limit', id, retryAfterSec, failure } satisfies Answer);
    rateLimits[method](limit, key).then(
      () => answer(null, null),
      (error: unknown) => {
        if (error instanceof TooManyRequests) answer(error.retryAfterSec, null);
        else answer(null, String(error));
      },
    );
  });
}

function isRateLimit(message: unknown): boolean {
  return (message as { readonly kind?: unknown } | null)?.kind === 'rate-limit';
}
