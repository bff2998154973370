import type { SessionUser } from '../../../contract/accounts.ts';
import { publicPersistentAtom } from '../../lib/public-atom.ts';
import { NO_SESSION, type Session, decodeSession } from '../../lib/session.ts';

/**
 * Who is logged in and what they last looked for (spec §3), kept under `auth` and followed across
 * tabs. The tokens stand beside it (`src/api/tokens.ts`).
 */
export const $session = publicPersistentAtom<Session>('auth', NO_SESSION, {
  // An empty session leaves nothing behind.
  encode: (session) => (isEmpty(session) ? (undefined as unknown as string) : JSON.stringify(session)),
  decode: decodeSession,
});

if (typeof document !== 'undefined') {
  // Spec §4: the host has refused to renew the session; storage is empty by then.
  document.addEventListener('session:refused', () => $session.set(NO_SESSION));
}

/** Another tab may have logged in or out since: what it left is what changes. */
function change(changes: Partial<Session>): void {
  const stored = readStored();
  const next = { ...(stored === null ? NO_SESSION : decodeSession(stored)), ...changes };
  if (stored === null && isEmpty(next)) return;
  $session.set(next);
  window.early?.mark();
}

/** Storage can be forbidden; then nothing is remembered. */
function readStored(): string | null {
  try {
    return localStorage.getItem('auth');
  } catch {
    return null;
  }
}

export function rememberUser(user: SessionUser): void {
  change({ isAuthenticated: true, user });
}

/** Log-out clears the persisted state (spec §4). */
export function forgetSession(): void {
  $session.set(NO_SESSION);
  window.early?.mark();
}

/**
 * Calls `forget` when the member logs out or another one takes their place: a page that the browser brings back may
 * find another member than it was left with. A host may give no ids. State belongs into a `memberAtom`, which
 * nobody has to remember to clear; this is for what has to be ended.
 */
export function onMemberGone(forget: () => void): void {
  let knownId = $session.get().user?.id ?? '';
  $session.listen(({ isAuthenticated, user }) => {
    const id = isAuthenticated ? (user?.id ?? '') : '';
    const isOther = id !== '' && knownId !== '' && id !== knownId;
    if (id !== '' || !isAuthenticated) knownId = id;
    if (isOther || !isAuthenticated) forget();
  });
}

/** Keeps what the listing shows (spec §3); its URL stays the truth, and nothing is read from here. */
export function rememberFilters(filters: Pick<Session, 'search' | 'subgenres' | 'type'>): void {
  change(filters);
}

function isEmpty({ isAuthenticated, user, search, subgenres, type }: Session): boolean {
  return !isAuthenticated && user === null && search === '' && subgenres.length === 0 && type === null;
}
