import { computed } from 'nanostores';
import { type Genre, type SoundType, listGenres, listSoundTypes } from '../../../contract/genres.ts';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../../contract/listing-limits.ts';
import { getSiteConfig } from '../../../contract/site.ts';
import { type Sound, type SoundQuery, listSounds } from '../../../contract/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { $favorites, storeFavorites } from '../favorites/favorites.ts';
import { keepData } from '../shared/kept-data.ts';
import { createSoundPages } from './pages.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { publicQuery } from '../shared/queries.ts';

/** The tab beside those of the types; no id has this form. */
export const FAVORITES_TAB = ':favorites';

/** The tabs (spec §2), and the types and genres a sound can have. */
export const $soundTypes = keepData(
  publicQuery<SoundType[]>(['sound types'], { fetcher: () => callApi(listSoundTypes) }),
);
export const $genres = keepData(publicQuery<Genre[]>(['genres'], { fetcher: () => callApi(listGenres) }));
/** What artists may allow on this host; undefined: anything. */
export const $licenceUses = publicQuery<readonly string[] | undefined>(['licence uses'], {
  fetcher: async () => (await callApi(getSiteConfig)).licence_uses,
});

interface ShownTab {
  readonly tab: string;
  readonly username: string;
  readonly pages: SoundPagesStore;
}

/** The chosen tab; null: the first one. */
const $shown = memberAtom<ShownTab | null>(null, (shown) => shown?.pages.stop());
/** The tab shown: a type's id, or `FAVORITES_TAB`; null until the types are known. */
export const $tab = computed([$shown, $soundTypes], (shown, { data }) => {
  if (data === undefined) return null;
  const choice = shown?.tab ?? null;
  const isThere = choice === FAVORITES_TAB || data.some(({ id }) => id === choice);
  return isThere ? choice : (data[0]?.id ?? FAVORITES_TAB);
});

export type SoundPagesStore = ReturnType<typeof createSoundPages>;

/** The list of the tab shown. There is only one: switching drops the previous list (spec §4). */
export const $mySounds = computed($shown, (shown) => shown?.pages ?? null);

/** Shows a tab of the member, unless it is already shown. */
export function showTab(tab: string, username: string): void {
  const shown = $shown.get();
  if (shown?.tab === tab && shown.username === username) return;
  shown?.pages.stop();
  const pages = tab === FAVORITES_TAB ? createFavorites() : createOwnPages(tab, username);
  $shown.set({ tab, username, pages });
  void pages.load();
}

/** Reads the shown list again; for a type, only if that type is shown. */
export function refreshSounds(typeId?: string): void {
  const shown = $shown.get();
  if (typeId === undefined || shown?.tab === typeId) void shown?.pages.load();
}

/** Shows accepted changes of a sound, then reads the list again. */
export function showChange(id: string, changes: Partial<Sound>): void {
  $shown.get()?.pages.change(id, changes);
  refreshSounds();
}

/** Resets the tab: the next visit begins with the first one (spec §2). */
export function leaveSounds(): void {
  $shown.get()?.pages.stop();
  $shown.set(null);
}

/** Spec §7: a hundred per page, private ones included. */
function createOwnPages(type: string, user: string): SoundPagesStore {
  const query = { user, include_private: true, type, page_size: PAGE_SIZE_MAX } satisfies SoundQuery;
  return createSoundPages({
    pageSize: PAGE_SIZE_MAX,
    ask: (page, signal) => callApi(listSounds, { query: withPage(query, page), signal }),
  });
}

function createFavorites(): SoundPagesStore {
  return createSoundPages({
    pageSize: PAGE_SIZE_DEFAULT,
    async ask(page, signal) {
      const list = await callApi(listSounds, { query: withPage({ favorite: true }, page), signal });
      // All of them are favourites, whatever the host says of each.
      storeFavorites(list.results.map(({ id }) => ({ id, is_favorited: true })));
      return list;
    },
    countRemoved: (sounds) => sounds.filter(({ id }) => $favorites.get()[id] === false).length,
  });
}

function withPage<Query extends SoundQuery>(query: Query, page: number) {
  return { ...query, ...(page > 1 && { page }) };
}
