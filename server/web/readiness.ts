import { classifyFailure } from '../platform/database/drivers/failure.ts';
import type { DatabaseFailure } from '../platform/database/drivers/failure.ts';
import type { Log } from '../platform/log.ts';

/** `slow`: no answer in time; `failed`: for any other reason, which the log has. */
export type PartState = 'ok' | DatabaseFailure | 'slow' | 'failed';

export interface Readiness {
  /** False: a proxy must send requests elsewhere. */
  readonly isReady: boolean;
  /** Words alone: the answer is public. */
  readonly parts: Readonly<Record<string, PartState>>;
}

interface Part {
  /** Rejects while the part cannot be used. */
  readonly check: () => Promise<unknown>;
  /** The process serves without it, and no other process would do better: its state is only reported. */
  readonly isReportOnly?: true;
}

const LIMIT_MS = 2_000;

/** Creates the check of `/readyz`. The log has one line for each change. */
export function createReadiness(parts: Readonly<Record<string, Part>>, log: Log): () => Promise<Readiness> {
  let reported: string | undefined;
  return async () => {
    const found = await Promise.all(
      Object.entries(parts).map(async ([name, part]) => [name, await toState(name, part)] as const),
    );
    const states = Object.fromEntries(found);
    const isReady = found.every(([name, state]) => state === 'ok' || parts[name]?.isReportOnly === true);
    const faults = found.filter(([, state]) => state !== 'ok').join();
    if (faults !== (reported ?? '')) {
      if (faults === '') log.info({ parts: states }, 'all parts are ready again');
      else log.error({ parts: states }, isReady ? 'a part is not ready' : 'not ready');
      reported = faults;
    }
    return { isReady, parts: states };
  };

  async function toState(part: string, { check }: Part): Promise<PartState> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<PartState>((resolve) => {
      timer = setTimeout(resolve, LIMIT_MS, 'slow');
    });
    try {
      return await Promise.race([check().then(() => 'ok' as const), limit]);
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure === undefined) log.error({ part, err: error }, 'a part could not be checked');
      return failure ?? 'failed';
    } finally {
      clearTimeout(timer);
    }
  }
}
