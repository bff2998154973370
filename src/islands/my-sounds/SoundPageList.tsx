import { type ReactNode, useEffect } from 'react';
import type { Sound } from '../../../contract/sounds/sounds.ts';
import { markPlayButtons } from '../../browser/tracks.ts';
import { $playingId, startPlayer } from '../../stores/player/player.ts';
import { mySounds } from '../../stores/my-sounds/my-sounds.ts';
import { Paged } from '../ui/Paged.tsx';

interface SoundPageListProps {
  label: string;
  /** Shown when the list is empty. */
  empty: ReactNode;
  /** One sound as a list item with a key. */
  renderItem: (sound: Sound) => ReactNode;
}

/** The loaded part of the tab's list; it is the player's queue. */
export function SoundPageList({ label, empty, renderItem }: SoundPageListProps) {
  return (
    <Paged
      list={mySounds}
      empty={<p className="grid justify-items-start gap-3 rounded-card bg-tint px-5 py-6">{empty}</p>}
      loading="Loading..."
      more="もっと見る"
      moreClassName=""
    >
      {(sounds) => <Queue label={label}>{sounds.map(renderItem)}</Queue>}
    </Paged>
  );
}

function Queue({ label, children }: { label: string; children: ReactNode }) {
  useEffect(() => {
    // This render may have added cards of the current sound.
    startPlayer();
    markPlayButtons($playingId.get());
  });
  return (
    <ul className="sound-grid" data-queue="" aria-label={label}>
      {children}
    </ul>
  );
}
