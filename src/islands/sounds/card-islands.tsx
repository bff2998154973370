import { type ReactNode, useEffect } from 'react';
import { type Root, hydrateRoot } from 'react-dom/client';
import { WAITING_PARTS } from '../../lib/islands.ts';
import { createDeferred } from '../../browser/deferred.ts';
import { type Track, readCard } from '../../browser/tracks.ts';
import { $downloading } from '../../stores/downloads/downloads.ts';
import { $failedIds, $trackId } from '../../stores/player/player.ts';
import { IslandBoundary } from '../hydrate.tsx';
import { CardText } from './CardParts.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { PlayClock } from './PlayClock.tsx';
import { PlayFailure } from './PlayFailure.tsx';
import { startFromCard } from './start-from-card.ts';
import { Waveform } from './Waveform.tsx';

/** The islands inside a sound's HTML, by their `data-island`. Their props are read from that HTML. */
const ISLANDS: Readonly<Record<string, (track: Track, place: HTMLElement) => ReactNode>> = {
  clock: ({ id, durationSec }) => <PlayClock soundId={id} durationSec={durationSec} />,
  download: ({ id, title, artist }, place) => (
    <DownloadButton
      id={id}
      title={title}
      artist={artist}
      isPrimary={place.querySelector('.button-primary') !== null}
    />
  ),
  failure: ({ id, src }) => <PlayFailure soundId={id} src={src} />,
  favorite: ({ id, title }) => <FavoriteButton id={id} title={title} />,
  text: ({ id, src }, place) => <CardText id={id} src={src} text={place.textContent} />,
  wave: ({ id, wave, title, durationSec }) => (
    <Waveform soundId={id} wave={wave} title={title} durationSec={durationSec} onStart={startFromCard} />
  ),
};

const roots = new Map<HTMLElement, { readonly root: Root; readonly hydrated: Promise<void> }>();

/** Hydrates the island in this element, once. Resolves when its listeners are attached. */
export function hydrate(place: HTMLElement): Promise<void> {
  const known = roots.get(place);
  if (known) return known.hydrated;
  const track = readCard(place);
  const island = track && ISLANDS[place.dataset['island'] ?? '']?.(track, place);
  if (!island) return Promise.resolve();
  const { promise, resolve } = createDeferred<void>();
  const root = hydrateRoot(
    place,
    <IslandBoundary>
      <Hydrated onHydrated={resolve}>{island}</Hydrated>
    </IslandBoundary>,
  );
  place.dataset['live'] = '';
  roots.set(place, { root, hydrated: promise });
  return promise;
}

function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }) {
  useEffect(onHydrated, [onHydrated]);
  return children;
}

/** Hydrates what a store changes on a card: the player's sound, a failed one, one being downloaded. */
function follow(): void {
  const ids: Record<string, (id: string) => boolean> = {
    clock: (id) => id === $trackId.get(),
    download: (id) => $downloading.get()[id] !== undefined,
    failure: (id) => $failedIds.get().has(id),
    text: (id) => $failedIds.get().has(id),
    wave: (id) => id === $trackId.get(),
  };
  for (const place of document.querySelectorAll<HTMLElement>(WAITING_PARTS)) {
    const id = place.closest<HTMLElement>('[data-sound]')?.dataset['sound'] ?? '';
    if (ids[place.dataset['island'] ?? '']?.(id)) void hydrate(place);
  }
}

/** Unmounts the islands of cards that have left the page. */
function sweep(): void {
  for (const [place, { root }] of roots) {
    if (place.isConnected) continue;
    root.unmount();
    roots.delete(place);
  }
}

for (const store of [$trackId, $failedIds, $downloading]) store.listen(follow);
document.addEventListener('astro:page-load', () => {
  sweep();
  follow();
});
follow();
