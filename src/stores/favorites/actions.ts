import { toggleFavorite as toggleFavoriteCall } from '../../../contract/sounds/sounds.ts';
import { IDS_MAX } from '../../../contract/sounds/listing-limits.ts';
import { callApi } from '../../api/browser.ts';
import { openChannel } from '../../browser/channel.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { onPage } from '../../browser/page-cache.ts';
import { findFavorites } from './lookup.ts';
import { $favorites } from './state.ts';
import { $memberKey, memberSignal } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';
import { showToast } from '../overlays/overlays.ts';

/** If a host answers differently each time, its answer is accepted after this many tries. */
const TRIES_MAX = 4;
/** Calls of islands that hydrate together are batched. */
const GATHER_MS = 30;

interface Change {
  readonly id: string;
  readonly isFavorited: boolean;
}

/** The target state of each heart while its change is in progress. */
const wanted = new Map<string, boolean>();
/** Ids that have been requested and not answered. */
const asked = new Set<string>();
const tabs = openChannel<Change>('favorites');
let gathering: ReturnType<typeof setTimeout> | undefined;

tabs.listen(({ id, isFavorited }) => {
  if (!wanted.has(id)) $favorites.setKey(id, isFavorited);
});
// A page that was frozen meanwhile has missed the changes of other pages.
onPage('show', () => {
  $favorites.set({});
  loadFavorites();
});

/**
 * Shows the change immediately and sends it to the host. Presses during a request are not sent one by one: the state of
 * the heart when the answer arrives decides. A refusal reverts it.
 */
export async function toggleFavorite(id: string, isAnnounced: boolean): Promise<void> {
  const before = $favorites.get()[id];
  const wish = before !== true;
  $favorites.setKey(id, wish);
  if (isAnnounced) showToast('blank', wish ? 'お気に入りに追加しました' : 'お気に入りから外しました');
  // A pending answer does not include this press.
  asked.delete(id);
  const isUnderWay = wanted.has(id);
  wanted.set(id, wish);
  if (isUnderWay) return;
  // The state of the host, restored after a failure. If it is unknown, the heart is empty.
  let isOnHost = before;
  const member = memberSignal();
  try {
    // A host that does not report the result of a toggle would remove a favourite that is not loaded here.
    if (before === undefined && !isExtended()) {
      isOnHost = (await findFavorites([id])).get(id);
    }
    for (let tries = 0; wanted.get(id) !== (isOnHost ?? false) && tries < TRIES_MAX; tries += 1) {
      const { is_favorited } = await callApi(toggleFavoriteCall, { params: { id } });
      isOnHost = is_favorited ?? !isOnHost;
    }
  } catch (error) {
    if (!member.aborted) presentError(error, { toasts: 'each' });
  } finally {
    wanted.delete(id);
  }
  // Nothing to update after the member has logged out.
  if (member.aborted) return;
  $favorites.setKey(id, isOnHost);
  if (isOnHost !== undefined && isOnHost !== before) tabs.post({ id, isFavorited: isOnHost });
}

/** Asks which of the sounds on the page are favourites. */
export function loadFavorites(): void {
  gathering ??= setTimeout(() => {
    gathering = undefined;
    // They may have logged out in the meantime.
    if ($memberKey.get() === null) return;
    void ask(
      [...document.querySelectorAll<HTMLElement>('[data-sound]')].map(({ dataset }) => dataset['sound']),
    );
  }, GATHER_MS);
}

async function ask(listed: readonly (string | undefined)[]): Promise<void> {
  const loaded = $favorites.get();
  const ids = [...new Set(listed)].flatMap((id) =>
    id === undefined || loaded[id] !== undefined || asked.has(id) ? [] : [id],
  );
  const some = ids.slice(0, IDS_MAX);
  if (some.length === 0) return;
  for (const id of some) asked.add(id);
  const member = memberSignal();
  try {
    const found = await findFavorites(some);
    if (member.aborted) return;
    const answered = [...found].filter(([id]) => asked.has(id));
    $favorites.set({ ...$favorites.get(), ...Object.fromEntries(answered) });
  } catch {
    // The hearts stay empty; a press still reads the state from the host.
  } finally {
    for (const id of some) asked.delete(id);
  }
}
