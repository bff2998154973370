import type * as v from 'valibot';
import { beginDownload } from '../../../contract/downloads.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { AdClock } from '../../ads/provider.ts';
import { within } from '../../ads/signals.ts';
import { callApi } from '../../api/browser.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';
import type { DownloadedSound } from './questions.ts';
import { showToast } from '../overlays/overlays.ts';

export type DownloadIntent = v.InferOutput<typeof beginDownload.reply>;

/** A script that the browser could not load. The person has been told (src/lib/load-script.ts). */
export class MissingScript extends Error {}

/** Nobody waits longer for an answer that they can do without. */
const BEGIN_MS_MAX = 8_000;

/**
 * Asks our host to begin. Null when it does not answer, or not as it should: spec §7 alone gives the file as
 * well, though nothing is counted then. Throws `ApiError` for what it refuses.
 */
export async function beginIntent(
  { id }: DownloadedSound,
  { clock, signal }: { readonly clock: AdClock; readonly signal: AbortSignal },
): Promise<DownloadIntent | null> {
  try {
    return await within({ clock, ms: BEGIN_MS_MAX, signal }, (limited) =>
      callApi(beginDownload, { params: { id }, signal: limited }),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
    return null;
  }
}

/**
 * What the API did not give is said in words; a file that did not come is only logged (spec §8). Returns whether
 * there is nothing left to try again.
 */
export function tellFailure(error: unknown): boolean {
  console.error('Failed to fetch the sound file.', error);
  if (!(error instanceof ApiError)) return false;
  const isGone = error.kind === 'not-found';
  const messages = isGone
    ? ['このサウンドは、もうダウンロードできません。公開が終わったか、削除されています。']
    : toErrorMessages(error);
  for (const message of messages) showToast('error', message);
  return isGone;
}
