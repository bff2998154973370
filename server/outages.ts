import { classifyFailure } from './platform/database/drivers/failure.ts';

/** Causes of many failures at once, which the log reports once. `busy`: the database answers, but has no turn left. */
export type OutageCause = 'database' | 'busy' | 'storage';

/** One line for a cause per this time, however many calls fail. */
const LINE_MS = 60_000;
/** How often a process checks whether an outage has ended, and how long nothing must have failed before. */
const LOOK_MS = 10_000;
const REASON_LENGTH_MAX = 300;

interface Outage {
  readonly sinceMs: number;
  lineAtMs: number;
  failedAtMs: number;
  /** Failures without a line since the last one. */
  suppressed: number;
}

/** The fields of the line that replaces an error with its stack. */
export interface OutageLine {
  readonly cause: OutageCause;
  readonly reason: string;
  /** Failures of the same cause that the log has no line of, since the last one. */
  readonly suppressed?: number;
}

/** The outages that one process sees. */
export interface Outages {
  /**
   * Notes a failure. Returns undefined for one that is no outage, such as a mistake in a query; the line to write
   * instead of it; or null where its cause has had a line in the last minute.
   */
  note(error: unknown): OutageLine | null | undefined;
  /** Looks for the end of outages, and reports each once. Returns a function that ends this. */
  follow(
    probes: Readonly<Record<OutageCause, () => Promise<unknown>>>,
    onEnd: (ended: { readonly cause: OutageCause; readonly seconds: number; suppressed: number }) => void,
  ): () => void;
}

export function createOutages(now: () => number = () => performance.now()): Outages {
  const outages = new Map<OutageCause, Outage>();
  return {
    note(error) {
      const cause = findCause(error);
      if (cause === undefined) return undefined;
      const nowMs = now();
      const outage = outages.get(cause);
      if (outage !== undefined && nowMs - outage.lineAtMs < LINE_MS) {
        outage.failedAtMs = nowMs;
        outage.suppressed += 1;
        return null;
      }
      const line = { cause, reason: toReason(error), ...(outage && { suppressed: outage.suppressed }) };
      const sinceMs = outage?.sinceMs ?? nowMs;
      outages.set(cause, { sinceMs, lineAtMs: nowMs, failedAtMs: nowMs, suppressed: 0 });
      return line;
    },
    follow(probes, onEnd) {
      const looking = new Set<OutageCause>();
      const timer = setInterval(() => {
        for (const [cause, outage] of outages) {
          if (looking.has(cause) || now() - outage.failedAtMs < LOOK_MS) continue;
          looking.add(cause);
          void probes[cause]()
            .then(
              () => {
                if (now() - outage.failedAtMs < LOOK_MS || outages.get(cause) !== outage) return;
                outages.delete(cause);
                const seconds = Math.round((outage.failedAtMs - outage.sinceMs) / 1_000);
                onEnd({ cause, seconds, suppressed: outage.suppressed });
              },
              (error: unknown) => {
                // Without traffic, nothing else would log that the outage continues.
                if (findCause(error) !== undefined) outage.failedAtMs = now();
              },
            )
            .finally(() => looking.delete(cause));
        }
      }, LOOK_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

function findCause(error: unknown): OutageCause | undefined {
  const failure = classifyFailure(error);
  if (failure === 'busy') return 'busy';
  if (failure !== 'unavailable') return undefined;
  // The code of `StorageUnavailable`.
  return (error as { readonly code?: unknown }).code === 'STORAGE_UNAVAILABLE' ? 'storage' : 'database';
}

/** The message without its stack, in one line. `AggregateError` of a connection has no message of its own. */
function toReason(error: unknown): string {
  const { message, errors } = error as AggregateError;
  const text = message || (errors?.[0] as Error | undefined)?.message || String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, REASON_LENGTH_MAX);
}
