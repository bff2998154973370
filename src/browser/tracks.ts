import { toPlayLabel } from '../lib/playing.ts';

/**
 * The player's data of a sound. It is read from the card on the page, so that play works on cards whose island has not
 * hydrated and the data is not sent twice.
 */
export interface Track {
  readonly id: string;
  readonly src: string;
  readonly title: string;
  readonly artist: string;
  readonly thumbnail: string | null;
  /** See `toWave`. */
  readonly wave: string;
  readonly durationSec: number;
  /** The factor that brings it to the common loudness, up to 1; absent while its loudness is unknown. */
  readonly gain?: number;
  /** Whether its end joins its beginning, according to its artist. */
  readonly isLoopable?: boolean;
  /** See `toSeries`. */
  readonly series?: string | undefined;
  /** Whether only its artist may hear it: it is removed at log-out. Absent in data of older versions. */
  readonly isPrivate?: boolean;
  /** Where its list is (`PlaySource`), and after a space the search that found it, for the statistics of its artist. */
  readonly from?: string | undefined;
}

/** Whether this is a track in the current form: storage may hold data of an older version. */
export function isTrack(value: unknown): value is Track {
  if (typeof value !== 'object' || value === null) return false;
  const { id, src, title, artist, thumbnail, wave, durationSec, gain, isLoopable, series, isPrivate } =
    value as Record<keyof Track, unknown>;
  return (
    [id, src, title, artist, wave].every((text) => typeof text === 'string') &&
    (thumbnail === null || typeof thumbnail === 'string') &&
    typeof durationSec === 'number' &&
    (series === undefined || typeof series === 'string') &&
    (gain === undefined || (typeof gain === 'number' && gain > 0 && gain <= 1)) &&
    [isLoopable, isPrivate].every((flag) => flag === undefined || typeof flag === 'boolean')
  );
}

/** A page may not be allowed to play files of another origin; downloading them needs no permission. */
export function toPlayAdvice(src: string): string {
  const isOtherOrigin = new URL(src, location.href).origin !== location.origin;
  return isOtherOrigin ? 'ダウンロードしてお聴きください。' : '時間をおいてお試しください。';
}

/** Maximum length of a queue; stored queues must fit into local storage. */
export const QUEUE_MAX = 100;

/** The track of the card that holds this play button, or null when the card lacks its file. */
export function readTrack(button: Element): Track | null {
  const track = readCard(button);
  return track?.src ? track : null;
}

/** The sound of the card around an element; `src` is '' without a file. Null outside a card. */
export function readCard(element: Element): Track | null {
  const card = element.closest<HTMLElement>('[data-sound]');
  const id = card?.dataset['sound'];
  if (!card || !id) return null;
  const gain = Number.parseFloat(card.dataset['gain'] ?? '');
  return {
    id,
    src: card.querySelector<HTMLElement>('[data-play]')?.dataset['play'] ?? '',
    title: card.querySelector('[data-title]')?.textContent ?? '',
    artist: card.querySelector('[data-artist]')?.textContent ?? '',
    thumbnail:
      card.querySelector<HTMLImageElement>('img[data-thumbnail]:not([src^="data:"])')?.getAttribute('src') ??
      null,
    wave: card.querySelector('[data-wave]')?.getAttribute('data-wave') ?? '',
    durationSec: Number.parseInt(card.dataset['durationMs'] ?? '0', 10) / 1000,
    ...(gain > 0 && gain <= 1 && { gain }),
    ...('loopable' in card.dataset && { isLoopable: true }),
    series: card.dataset['series'],
    isPrivate: 'private' in card.dataset,
    from: card.closest<HTMLElement>('[data-queue]')?.dataset['queue'],
  };
}

/** The tracks around this play button: all cards of its list, in page order. */
export function readQueue(button: HTMLElement): Track[] {
  const list = button.closest('[data-queue]') ?? button.closest('[data-sound]');
  const tracks = [...(list?.querySelectorAll<HTMLElement>('[data-play]') ?? [])].flatMap(
    (other) => readTrack(other) ?? [],
  );
  const here = tracks.findIndex((track) => track.id === readTrack(button)?.id);
  const start = Math.max(0, here - QUEUE_MAX + 1);
  return tracks.slice(start, start + QUEUE_MAX);
}

/** Updates every play button of the page to show which sound is playing. */
export function markPlayButtons(playingId: string | null): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-play]')) {
    const playing =
      playingId !== null && button.closest<HTMLElement>('[data-sound]')?.dataset['sound'] === playingId;
    const label = toPlayLabel(button.dataset['label'] ?? '', playing);
    if (button.getAttribute('aria-label') === label) continue;
    button.toggleAttribute('data-playing', playing);
    button.setAttribute('aria-label', label);
  }
}
