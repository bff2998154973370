import * as v from 'valibot';
import { NEXT_NOTICE_PATH, type Notice, NextNoticeSchema } from '../../contract/downloads/ads.ts';
import { isExtended } from '../browser/extended-host.ts';
import { readApiOrigin } from './origin.ts';

/** A host that takes longer is treated as having none. */
const ANSWER_MS_MAX = 8_000;

/** A notice of the operator, from the API host; null if there is none, or the host has no notices. */
export async function findNextNotice(signal?: AbortSignal): Promise<Notice | null> {
  if (!isExtended()) return null;
  const origin = readApiOrigin();
  const over = new AbortController();
  const stop = () => over.abort();
  const timer = setTimeout(stop, ANSWER_MS_MAX);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    const response = await fetch(origin + NEXT_NOTICE_PATH, { credentials: 'omit', signal: over.signal });
    if (!response.ok) return null;
    const parsed = v.safeParse(NextNoticeSchema, await response.json());
    const notice = parsed.success ? parsed.output.notice : null;
    if (notice === null) return null;
    const { url, captions } = notice;
    return { ...notice, url: origin + url, captions: captions === null ? null : origin + captions };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
