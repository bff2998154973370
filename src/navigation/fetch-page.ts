import { READ_RETRY_WAITS_MS } from '../../contract/calls/read-retries.ts';

interface FetchOptions {
  readonly signal: AbortSignal;
  /** Whether a reply is worth another attempt. */
  readonly hasFailed: (reply: Response) => boolean;
  /** Called before each wait for another attempt. */
  readonly onRetry: () => void;
}

/** Whether a reply is the page of a maintenance, whose status 503 is intended. */
export function isMaintenance({ headers }: Response): boolean {
  return headers.has('x-maintenance');
}

/** Requests HTML from the page server, repeated like any read (spec §7). Null without a reply. Throws the reason of an abort. */
export async function fetchPage(
  url: string,
  { signal, hasFailed, onRetry }: FetchOptions,
): Promise<Response | null> {
  for (const waitMs of [...READ_RETRY_WAITS_MS, null]) {
    const cache = window.early?.cache ?? 'default';
    const reply = await fetch(url, { signal, cache }).catch(() => null);
    signal.throwIfAborted();
    if (waitMs === null || (reply !== null && !hasFailed(reply))) return reply;
    onRetry();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    signal.throwIfAborted();
  }
  return null;
}
