import type { SessionUser } from '../../../contract/accounts/accounts.ts';
import { publicAtom, publicPersistentAtom } from '../../browser/public-atom.ts';
import { NO_SESSION, type Session, toSession } from '../../browser/session.ts';
import { parseStored, readStored } from '../../browser/stored.ts';

/**
 * The logged-in member and the last search (spec §3), stored under `auth` and synchronised across tabs. The tokens are
 * stored separately (`src/api/tokens.ts`).
 */
export const $session = publicPersistentAtom<Session>('auth', NO_SESSION, {
  // An empty session removes the item.
  encode: (session) => (isEmpty(session) ? (undefined as unknown as string) : JSON.stringify(session)),
  decode: (text) => parseStored(text, toSession),
});

/** Whether the host has refused the session of this tab. The log-in page explains it until the next log-in. */
export const $isRefused = publicAtom(false);

if (typeof document !== 'undefined') {
  // Spec §4: the host has refused to renew the session; storage is already empty.
  document.addEventListener('session:refused', () => {
    $session.set(NO_SESSION);
    $isRefused.set(true);
  });
}

/** Another tab may have logged in or out since: start from the stored value. */
function updateSession(changes: Partial<Session>): void {
  const stored = readStored('auth', toSession);
  const next = { ...stored, ...changes };
  if (isEmpty(stored) && isEmpty(next)) return;
  $session.set(next);
  window.early?.mark();
}

export function rememberUser(user: SessionUser): void {
  $isRefused.set(false);
  updateSession({ isAuthenticated: true, user });
}

/** Log-out clears the persisted state (spec §4). */
export function forgetSession(): void {
  $session.set(NO_SESSION);
  window.early?.mark();
}

/**
 * Calls `forget` when the member logs out or is replaced by another: a page restored by the browser may find another
 * member than before. A host may give no ids. Visitors have nothing to forget: what is stored for them changes with each
 * search. Member state belongs in a `memberAtom`, which is cleared automatically; use this for work that must be stopped.
 */
export function onMemberLeave(forget: () => void): void {
  let { isAuthenticated: wasMember, user: member } = $session.get();
  $session.listen(({ isAuthenticated: isMember, user }) => {
    const isOther = isMember && !!member?.id && !!user?.id && user.id !== member.id;
    const hasLeft = wasMember && !isMember;
    wasMember = isMember;
    if (user?.id || !isMember) member = user;
    if (isOther || hasLeft) forget();
  });
}

/** Stores what the listing shows (spec §3). The URL is the source of truth; this value is never read back. */
export function rememberFilters(filters: Pick<Session, 'search' | 'subgenres' | 'type'>): void {
  updateSession(filters);
}

function isEmpty({ isAuthenticated, user, search, subgenres, type }: Session): boolean {
  return !isAuthenticated && user === null && search === '' && subgenres.length === 0 && type === null;
}
