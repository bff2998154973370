import { computed } from 'nanostores';
import {
  type FoundSound,
  SOUNDS_PAGE_MAX,
  SOUND_STATES,
  type SoundDecision,
  type SoundState,
  decideOnSound,
  getStaffSound,
  searchStaffSounds,
} from '../../../../contract/operator/sounds.ts';
import { callApi } from '../../../api/browser.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { createPaged } from '../../../stores/shared/paged.ts';
import { staffDetails } from '../../../stores/shared/staff-query.ts';
import { isDecidedByOthers } from '../decided-by-others.ts';
import { DECISION_TEXTS } from './sound-texts.ts';

const PATH = '/operator/sounds';

/** What is searched; '' for no condition. */
export interface SoundFilter {
  readonly search: string;
  readonly artist: string;
  readonly state: SoundState | '';
}

export const soundSearch = createPaged<FoundSound, SoundFilter>({
  keepsItems: true,
  idOf: ({ id }) => id,
  async read(filter, cursor, signal) {
    const page = cursor ?? 1;
    const query = { ...toGiven(filter), page };
    const { results, has_more } = await callApi(searchStaffSounds, { query, signal });
    return { results, next: has_more && page < SOUNDS_PAGE_MAX ? page + 1 : null };
  },
});

/** What the page's address names; null before it is read. */
export const $soundAddress = memberAtom<{ readonly id: string | null; readonly filter: SoundFilter } | null>(
  null,
);
const $soundId = computed($soundAddress, (address) => address?.id ?? null);
/** The sound that the page's address names. */
export const $sound = staffDetails('sound', $soundId, (id, signal) =>
  callApi(getStaffSound, { params: { id }, signal }),
);
/** While a decision is being sent. */
export const $isDeciding = memberAtom(false);

function toGiven({ search, artist, state }: Partial<SoundFilter>) {
  return { ...(search && { search }), ...(artist && { artist }), ...(state && { state }) };
}

/** The address of a sound in the console, from which the filter leads back to the search. */
export function toSoundUrl(id: string, filter: Partial<SoundFilter> = {}): string {
  return `${PATH}?${new URLSearchParams({ id, ...toGiven(filter) })}`;
}

/** The address of a search. */
export function toSoundSearchUrl(filter: Partial<SoundFilter>): string {
  const query = new URLSearchParams(toGiven(filter)).toString();
  return query === '' ? PATH : `${PATH}?${query}`;
}

/** Shows what the page's address names. */
export function openSoundPage(): void {
  const params = new URLSearchParams(location.search);
  soundSearch.close();
  const state: SoundFilter['state'] = SOUND_STATES.find((each) => each === params.get('state')) ?? '';
  const filter = { search: params.get('search') ?? '', artist: params.get('artist') ?? '', state };
  $soundAddress.set({ id: params.get('id') || null, filter });
}

/** Finds sounds, and puts the filter into the page's address, so that the way back from a sound leads to it. */
export async function searchSounds(filter: SoundFilter): Promise<void> {
  history.replaceState(history.state, '', toSoundSearchUrl(filter));
  await soundSearch.load(filter);
}

/** Carries out a decision about a sound, and reads it again. Returns whether nothing is left to decide. Never throws. */
export async function decideOn(id: string, action: SoundDecision, reason: string): Promise<boolean> {
  if ($isDeciding.get()) return false;
  $isDeciding.set(true);
  const isDecided = await attempt(
    () => callApi(decideOnSound, { params: { id }, body: { action, reason } }),
    { done: DECISION_TEXTS[action].done, isDone: isDecidedByOthers },
  );
  $isDeciding.set(false);
  const address = $soundAddress.get();
  // A deleted sound has no page.
  if (isDecided && action === 'delete' && address !== null) {
    history.replaceState(history.state, '', toSoundSearchUrl(address.filter));
    $soundAddress.set({ ...address, id: null });
  } else {
    $sound.revalidate();
  }
  return isDecided;
}
