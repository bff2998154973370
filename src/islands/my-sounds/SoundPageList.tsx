import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import type { Sound } from '../../../contract/sounds.ts';
import type { SoundPagesStore } from '../../stores/my-sounds/my-sounds.ts';
import { ListFailure, MoreSounds } from './ListState.tsx';
import { markTracks } from './mark-tracks.ts';

interface SoundPageListProps {
  pages: SoundPagesStore;
  label: string;
  /** Shown when the list is empty. */
  empty: ReactNode;
  /** One sound as a list item with a key. */
  renderItem: (sound: Sound) => ReactNode;
}

/** The loaded part of a tab's list; it is the player's queue. */
export function SoundPageList({ pages, label, empty, renderItem }: SoundPageListProps) {
  const list = useStore(pages.$pages);
  useEffect(markTracks);
  if (list.state === 'loading') return <p role="status">Loading...</p>;
  const reload = () => void pages.load();
  if (list.state === 'failed') return <ListFailure error={list.error} onRetry={reload} />;
  const { sounds, next, failure } = list;
  return (
    <>
      {failure?.at === 'load' && <ListFailure error={failure.error} onRetry={reload} />}
      {sounds.length === 0 && next === null ? (
        <p className="grid justify-items-start gap-3 rounded-card bg-tint px-5 py-6">{empty}</p>
      ) : (
        <ul className="sound-grid" data-queue="" aria-label={label}>
          {sounds.map(renderItem)}
        </ul>
      )}
      <MoreSounds list={list} pages={pages} />
    </>
  );
}
