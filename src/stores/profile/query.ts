import { onSet } from 'nanostores';
import { type Profile, getProfile } from '../../../contract/accounts/profile.ts';
import { callApi } from '../../api/browser.ts';
import { readTokens } from '../../api/tokens.ts';
import { keepPrevious } from '../shared/keep-previous.ts';
import { memberQuery } from '../shared/queries.ts';
import { $session, rememberUser } from '../session/session.ts';

/** The profile of the logged-in member; not requested for visitors (spec §6). */
export const $profile = keepPrevious(
  memberQuery<Profile>(['profile'], { fetcher: (signal) => callApi(getProfile, { signal }) }),
);

// The navbar shows the remembered session; what was just read is newer.
onSet($profile, ({ newValue: { data, error, loading } }) => {
  if (loading) return;
  if (isStale) queueMicrotask(reloadWhenPossible);
  if (data && error === undefined && isLoggedIn() && !isRemembered(data)) {
    const { id, username, email, profile_picture } = data;
    rememberUser({ id, username, email, profile_picture });
  }
});

/** Whether the data is stale; a request during a read or in a hidden tab is remembered. */
let isStale = false;

/** Reads the profile again. */
export function reloadProfile(): void {
  isStale = true;
  reloadWhenPossible();
}

/** The query layer ignores invalidation during a read and in a hidden tab. */
function reloadWhenPossible(): void {
  if (!isStale || $profile.get().loading || document.hidden) return;
  isStale = false;
  $profile.revalidate();
}

if (typeof document !== 'undefined') document.addEventListener('visibilitychange', reloadWhenPossible);

/** Shows immediately what the host has just accepted. */
export function changeProfile(change: Partial<Profile>): void {
  const { data } = $profile.get();
  if (data) $profile.mutate({ ...data, ...change });
}

/** The member may have logged out before the answer arrived; the log-out wins. */
function isLoggedIn(): boolean {
  return $session.get().isAuthenticated && readTokens() !== null;
}

function isRemembered({ id, username, email, profile_picture }: Profile): boolean {
  const user = $session.get().user;
  return (
    user?.id === id &&
    user.username === username &&
    user.email === email &&
    user.profile_picture === profile_picture
  );
}
