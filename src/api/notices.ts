import * as v from 'valibot';
import { NEXT_NOTICE_PATH, type Notice, NextNoticeSchema } from '../../contract/ads.ts';

/** A host that takes longer is treated as having none. */
const ANSWER_MS_MAX = 8_000;

/** A notice of the operator, from the page's own host, whichever host answers the API; null if there is none. */
export async function findNextNotice(signal?: AbortSignal): Promise<Notice | null> {
  const over = new AbortController();
  const stop = () => over.abort();
  const timer = setTimeout(stop, ANSWER_MS_MAX);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    const response = await fetch(NEXT_NOTICE_PATH, { credentials: 'omit', signal: over.signal });
    // If src/ is deployed alone, this path may not exist.
    if (!response.ok) return null;
    const parsed = v.safeParse(NextNoticeSchema, await response.json());
    return parsed.success ? parsed.output.notice : null;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
