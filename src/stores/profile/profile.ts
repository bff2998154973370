import { computed, onSet } from 'nanostores';
import { type Profile, getProfile } from '../../../contract/profile.ts';
import { callApi } from '../../api/browser.ts';
import { readTokens } from '../../api/tokens.ts';
import { keepData } from '../shared/kept-data.ts';
import { createFetcherStore } from '../shared/queries.ts';
import { $session, onMemberGone, rememberUser } from '../session/session.ts';

/** Tells members apart whom their host gives no id: who logs in next must not see what was kept. */
let memberCount = 0;
onMemberGone(() => (memberCount += 1));

/** Whose profile is to be shown; null for strangers, for whom nothing is asked (spec §6). */
const $owner = computed($session, ({ isAuthenticated, user }) =>
  isAuthenticated ? `${user?.id ?? 'member'} ${memberCount}` : null,
);

/** The profile of whoever is logged in. */
export const $profile = keepData(
  createFetcherStore<Profile>(['profile', $owner], { fetcher: () => callApi(getProfile) }),
);

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
