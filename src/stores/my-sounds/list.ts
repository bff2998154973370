import { computed } from 'nanostores';
import { type Genre, type SoundType, listGenres, listSoundTypes } from '../../../contract/sounds/genres.ts';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../../contract/sounds/listing-limits.ts';
import { type SiteConfig, getSiteConfig } from '../../../contract/site/site.ts';
import { LICENCE_USES } from '../../../contract/sounds/sound-facts.ts';
import { type Sound, type SoundQuery, listSounds } from '../../../contract/sounds/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { $favorites, storeFavorites } from '../favorites/favorites.ts';
import { keepPrevious } from '../shared/keep-previous.ts';
import { createPaged } from '../shared/paged.ts';
import { publicQuery } from '../shared/queries.ts';

/** The tabs beside those of the types; no id has this form. */
export const FAVORITES_TAB = ':favorites';
/** The sounds of all types, where several are edited. */
export const ALL_TAB = ':all';

/** The tabs (spec §2), and the types and genres a sound can have. */
export const $soundTypes = keepPrevious(
  publicQuery<SoundType[]>(['sound types'], { fetcher: () => callApi(listSoundTypes) }),
);
export const $genres = keepPrevious(publicQuery<Genre[]>(['genres'], { fetcher: () => callApi(listGenres) }));
const $siteConfig = publicQuery<SiteConfig>(['site config'], { fetcher: () => callApi(getSiteConfig) });
/** The uses that an artist can allow, and a hint. Uses that the terms allow are left out. */
export const $addableUses = computed($siteConfig, ({ data }) => {
  const uses = LICENCE_USES.filter((use) => data?.licence_uses?.includes(use));
  const terms = data?.licence ? `すべてのサウンドに共通の条件は「${data.licence.line}」です。` : '';
  return { uses, hint: `${terms}これに加えて認めるものだけを選びます。` };
});

interface Tab {
  /** A type's id, `FAVORITES_TAB` or `ALL_TAB`. */
  readonly tab: string;
  readonly username: string;
}

/** The list of the current tab. There is only one: switching drops the previous list (spec §4). */
export const mySounds = createPaged<Sound, Tab>({
  idOf: ({ id }) => id,
  async read({ tab, username }, page, signal) {
    const isFavorites = tab === FAVORITES_TAB;
    // Without a name, a host lists the sounds of all artists.
    if (!isFavorites && username === '') return { results: [], next: null };
    const query = {
      ...(isFavorites
        ? { favorite: true }
        : // Spec §7: a hundred per page, private ones included.
          {
            user: username,
            include_private: true,
            ...(tab !== ALL_TAB && { type: tab }),
            page_size: PAGE_SIZE_MAX,
          }),
      ...(page !== null && { page }),
    } satisfies SoundQuery;
    const list = await callApi(listSounds, { query, signal });
    // All of them are favourites, whatever the host reports for each.
    if (isFavorites) storeFavorites(list.results.map(({ id }) => ({ id, is_favorited: true })));
    return list;
  },
  countMovedPages(sounds, { tab }) {
    if (tab !== FAVORITES_TAB) return 0;
    return Math.ceil(sounds.filter(({ id }) => $favorites.get()[id] === false).length / PAGE_SIZE_DEFAULT);
  },
});

/**
 * Whether a listed sound is the member's own; a host may have ignored whose sounds were asked for. Compared as people
 * read names.
 */
export function isOwnSound({ artist_name }: Pick<Sound, 'artist_name'>, username: string): boolean {
  const toKey = (name: string) => name.normalize('NFKC').trim().toLowerCase();
  return artist_name === '' || toKey(artist_name) === toKey(username);
}

/** The current tab, the first one until another is chosen; null until the types are loaded. */
export const $tab = computed([mySounds.$list, $soundTypes], ({ query }, { data }) => {
  if (data === undefined) return null;
  const choice = query?.tab ?? null;
  const isThere = choice === FAVORITES_TAB || choice === ALL_TAB || data.some(({ id }) => id === choice);
  return isThere ? choice : (data[0]?.id ?? FAVORITES_TAB);
});

/** Shows a tab of the member, unless it is the current one. */
export function showTab(tab: string, username: string): void {
  const { query } = mySounds.$list.get();
  if (query?.tab !== tab || query.username !== username) void mySounds.load({ tab, username });
}

/** Reads the current list again; for a type, only if it contains the sounds of that type. */
export function refreshSounds(typeId?: string): void {
  const tab = mySounds.$list.get().query?.tab;
  if (typeId === undefined || tab === typeId || tab === ALL_TAB) void mySounds.reload();
}

/** Shows accepted changes of a sound, then reads the list again. */
export function showChange(id: string, changes: Partial<Sound>): void {
  mySounds.change(id, changes);
  refreshSounds();
}
