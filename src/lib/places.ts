/** The places of /profile that a link or an address can ask for. */
const PLACES = ['upload', 'personal-info'] as const;
export type Place = (typeof PLACES)[number];

/** Raised on the document when a link to a place is pressed; cancelled by the page that has the place. */
export const PLACE_WANTED = 'place:wanted';

const KEY = 'place';
/** For browsers that forbid storage. */
let kept: string | null = null;

export function toPlace(name: string | undefined): Place | null {
  return PLACES.find((place) => place === name) ?? null;
}

/** Keeps a place for the page that has it; it survives a log-in on the way. */
export function rememberPlace(place: Place): void {
  kept = place;
  try {
    sessionStorage.setItem(KEY, place);
  } catch {
    // Then it lasts as long as this document.
  }
}

/** The place that was kept, if any; it is forgotten. */
export function takePlace(): Place | null {
  let place = kept;
  kept = null;
  try {
    place ??= sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
  return toPlace(place ?? undefined);
}
