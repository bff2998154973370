import { onSet } from 'nanostores';
import { type Profile, getProfile } from '../../../contract/profile.ts';
import { callApi } from '../../api/browser.ts';
import { readTokens } from '../../api/tokens.ts';
import { keepData } from '../shared/kept-data.ts';
import { memberQuery } from '../shared/queries.ts';
import { $session, rememberUser } from '../session/session.ts';

/** The profile of whoever is logged in; nothing is asked for strangers (spec §6). */
export const $profile = keepData(memberQuery<Profile>(['profile'], { fetcher: () => callApi(getProfile) }));

// The navbar shows whom the session remembers; what has just been read is newer.
onSet($profile, ({ newValue: { data, loading } }) => {
  if (!loading && isStale) queueMicrotask(reloadWhenPossible);
  if (data && isStillHere() && !isRemembered(data)) {
    const { id, username, email, profile_picture } = data;
    rememberUser({ id, username, email, profile_picture });
  }
});

/** Whether what is known is out of date; a wish that comes while one reads, or nobody looks, is kept. */
let isStale = false;

/** Reads the profile anew. */
export function reloadProfile(): void {
  isStale = true;
  reloadWhenPossible();
}

/** The query layer takes no wish while it is reading, nor in a tab that nobody sees. */
function reloadWhenPossible(): void {
  if (!isStale || $profile.get().loading || document.hidden) return;
  isStale = false;
  $profile.revalidate();
}

if (typeof document !== 'undefined') document.addEventListener('visibilitychange', reloadWhenPossible);

/** Shows at once what the host has just taken. */
export function changeProfile(change: Partial<Profile>): void {
  const { data } = $profile.get();
  if (data) $profile.mutate({ ...data, ...change });
}

/** A member may have logged out while the answer was on its way; that stands. */
function isStillHere(): boolean {
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
