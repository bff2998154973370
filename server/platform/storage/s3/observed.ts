import { StorageUnavailable } from '../port.ts';
import type { S3Client } from './client.ts';
import { S3Refusal } from './failures.ts';

/** `answered` includes that an object does not exist; `unreachable` is no answer, or half of one. */
export const BUCKET_OUTCOMES = ['answered', 'refused', 'unreachable'] as const;
type Outcome = (typeof BUCKET_OUTCOMES)[number];

/** The results of this process's calls to a bucket, each after all of its attempts. */
export interface BucketUse {
  readonly calls: Record<Outcome, number>;
  /** Seconds of all calls until their answer; of files that are read, until it begins. */
  seconds: number;
  /** Epoch ms; 0: never. */
  answeredAtMs: number;
  /** The failure of the last call; null: it was answered. */
  failure: Error | null;
}

/** Answers to what nobody can know before: a missing object, a condition, a range beyond the end. */
const EXPECTED_STATUSES: ReadonlySet<number> = new Set([404, 409, 412, 416]);

export type ObservedClient = S3Client & { readonly use: BucketUse };

/** A client that counts its calls. */
export function observeClient(client: S3Client): ObservedClient {
  const use: BucketUse = {
    calls: { answered: 0, refused: 0, unreachable: 0 },
    seconds: 0,
    answeredAtMs: 0,
    failure: null,
  };
  async function observe<Result>(call: Promise<Result>): Promise<Result> {
    const began = performance.now();
    const note = (outcome: Outcome, failure: Error | null) => {
      use.calls[outcome] += 1;
      use.seconds += (performance.now() - began) / 1_000;
      use.failure = failure;
      if (outcome === 'answered') use.answeredAtMs = Date.now();
    };
    try {
      const result = await call;
      note('answered', null);
      return result;
    } catch (error) {
      if (error instanceof S3Refusal && EXPECTED_STATUSES.has(error.status)) note('answered', null);
      // Any other error is the caller's: it has left, or the key is invalid.
      else if (error instanceof StorageUnavailable)
        note(error instanceof S3Refusal ? 'refused' : 'unreachable', error);
      throw error;
    }
  }
  return {
    ...client,
    use,
    call: (request) => observe(client.call(request)),
    open: (request, ending) => observe(client.open(request, ending)),
  };
}
