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
const ISLANDS: Readonly<Record<string, (track: Track, element: HTMLElement) => ReactNode>> = {
  clock: ({ id, durationSec }) => <PlayClock soundId={id} durationSec={durationSec} />,
  download: ({ id, title, artist }, element) => (
    <DownloadButton
      id={id}
      title={title}
      artist={artist}
      isPrimary={element.querySelector('.button-primary') !== null}
    />
  ),
  failure: ({ id, src }) => <PlayFailure soundId={id} src={src} />,
  favorite: ({ id, title }) => <FavoriteButton id={id} title={title} />,
  text: ({ id, src }, element) => <CardText id={id} src={src} text={element.textContent} />,
  wave: ({ id, wave, title, durationSec }) => (
    <Waveform soundId={id} wave={wave} title={title} durationSec={durationSec} onStart={startFromCard} />
  ),
};

const roots = new Map<HTMLElement, { readonly root: Root; readonly hydrated: Promise<void> }>();

/** Hydrates the island in this element, once. Resolves when its listeners are attached. */
export function hydrate(element: HTMLElement): Promise<void> {
  const existing = roots.get(element);
  if (existing) return existing.hydrated;
  const track = readCard(element);
  const island = track && ISLANDS[element.dataset['island'] ?? '']?.(track, element);
  if (!island) return Promise.resolve();
  const { promise, resolve } = createDeferred<void>();
  const root = hydrateRoot(
    element,
    <IslandBoundary>
      <Hydrated onHydrated={resolve}>{island}</Hydrated>
    </IslandBoundary>,
  );
  element.dataset['live'] = '';
  roots.set(element, { root, hydrated: promise });
  return promise;
}

function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }) {
  useEffect(onHydrated, [onHydrated]);
  return children;
}

/** Hydrates what a store changes on a card: the player's sound, a failed one, one being downloaded. */
function hydrateChanged(): void {
  const ids: Record<string, (id: string) => boolean> = {
    clock: (id) => id === $trackId.get(),
    download: (id) => $downloading.get()[id] !== undefined,
    failure: (id) => $failedIds.get().has(id),
    text: (id) => $failedIds.get().has(id),
    wave: (id) => id === $trackId.get(),
  };
  for (const element of document.querySelectorAll<HTMLElement>(WAITING_PARTS)) {
    const id = element.closest<HTMLElement>('[data-sound]')?.dataset['sound'] ?? '';
    if (ids[element.dataset['island'] ?? '']?.(id)) void hydrate(element);
  }
}

/** Unmounts the islands of cards that have left the page. */
function unmountRemoved(): void {
  for (const [element, { root }] of roots) {
    if (element.isConnected) continue;
    root.unmount();
    roots.delete(element);
  }
}

for (const store of [$trackId, $failedIds, $downloading]) store.listen(hydrateChanged);
document.addEventListener('astro:page-load', () => {
  unmountRemoved();
  hydrateChanged();
});
hydrateChanged();
