import { refreshAccess } from '../../contract/accounts/accounts.ts';
import { ApiError } from '../../contract/calls/errors.ts';
import { fetchAs } from './caller.ts';
import { withLock } from '../browser/locks.ts';
import { removePrivateTracks } from '../browser/private-tracks.ts';
import { clearRecentSearches } from '../browser/recent-searches.ts';
import { writeStored } from '../browser/stored.ts';
import { createClient } from './client.ts';
import { readApiOrigin } from './origin.ts';
import { clearTokens, readTokens, saveTokens } from './tokens.ts';

/** Dispatched on `document` when a host has refused to renew the session: the member has to log in again. */
export const SESSION_REFUSED = 'session:refused';

let underWay: Promise<string | null> | null = null;

/**
 * Returns a new access token in place of a rejected one; null when the session is over. Simultaneous calls share one
 * renewal, and so do tabs: the second holder of the lock finds the token renewed. Throws `ApiError` when the host could
 * not be asked; the member stays logged in then.
 */
export function renewAccess(refused: string): Promise<string | null> {
  // Without locks two tabs may both renew, which the host tolerates.
  underWay ??= withLock('session:renewal', {}, () => renew(refused)).finally(() => (underWay = null));
  return underWay;
}

async function renew(refused: string): Promise<string | null> {
  const tokens = readTokens();
  if (tokens?.access !== refused) return tokens?.access ?? null;
  const call = createClient({
    origin: readApiOrigin(),
    // Sent without credentials: the stored access token is invalid.
    fetch: (input, init) => fetchAs(undefined, input, init),
    retries: 'none',
    filesOrigin: '',
  });
  try {
    const reply = await call(refreshAccess, { body: { refresh: tokens.refresh ?? '' } });
    // The member may have logged out before the answer arrived; the log-out wins.
    if (readTokens()?.access !== refused) return readTokens()?.access ?? null;
    saveTokens(reply);
    return reply.access;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 400)) throw error;
    clearTokens();
    writeStored('auth', null);
    document.dispatchEvent(new Event(SESSION_REFUSED));
    removePrivateTracks();
    clearRecentSearches();
    return null;
  }
}
