import { refreshAccess } from '../../contract/accounts.ts';
import { ApiError } from '../../contract/errors.ts';
import { fetchAs } from './caller.ts';
import { forgetPrivateTracks } from '../lib/private-tracks.ts';
import { createClient } from './client.ts';
import { readApiOrigin } from './origin.ts';
import { clearTokens, readTokens, saveTokens } from './tokens.ts';

/** Said on `document` when a host has refused to renew the session: its member has to log in again. */
export const SESSION_REFUSED = 'session:refused';

let underWay: Promise<string | null> | null = null;

/**
 * An access token in place of one that was refused; null when there is none to be had, because the
 * session is over. Calls made at once share one renewal, and so do tabs: whoever gets the lock second
 * finds the token renewed. Throws `ApiError` when the host could not be asked; then nobody is logged out.
 */
export function renewAccess(refused: string): Promise<string | null> {
  underWay ??= lockAcrossTabs(() => renew(refused)).finally(() => (underWay = null));
  return underWay;
}

async function renew(refused: string): Promise<string | null> {
  const tokens = readTokens();
  if (tokens?.access !== refused) return tokens?.access ?? null;
  const call = createClient({
    origin: readApiOrigin(),
    // As nobody: the token that is stored is worthless.
    fetch: (input, init) => fetchAs(undefined, input, init),
    retries: 'none',
    filesOrigin: '',
  });
  try {
    const reply = await call(refreshAccess, { body: { refresh: tokens.refresh ?? '' } });
    // Somebody may have logged out while the answer was on its way; that stands.
    if (readTokens()?.access !== refused) return readTokens()?.access ?? null;
    saveTokens(reply);
    return reply.access;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 400)) throw error;
    clearTokens();
    localStorage.removeItem('auth');
    document.dispatchEvent(new Event(SESSION_REFUSED));
    forgetPrivateTracks();
    return null;
  }
}

/**
 * Web Locks are there in secure contexts alone, and not where storage is forbidden; without them two tabs may both
 * renew, which the host forgives.
 */
async function lockAcrossTabs(work: () => Promise<string | null>): Promise<string | null> {
  if (!('locks' in navigator)) return work();
  try {
    return await navigator.locks.request('session:renewal', work);
  } catch (error) {
    if ((error as Error).name !== 'SecurityError') throw error;
    return work();
  }
}
