import { useEffect } from 'react';
import type { CardSound } from '../../lib/card-sound.ts';
import { markPlayButtons } from '../../lib/tracks.ts';
import { $playingId, startPlayer } from '../../stores/player/player.ts';
import { loadFavorites } from '../../stores/favorites/favorites.ts';
import { SoundCard } from './SoundCard.tsx';

/** Cards above the fold, whose pictures are not worth waiting for. */
const FIRST_CARDS = 4;

interface SoundGridProps {
  sounds: readonly CardSound[];
  /** What the list is, for screen readers. */
  label: string;
  /** Whether each sound has a page of its own (capability `sound-pages`). */
  hasSoundPages: boolean;
}

/** A list of sounds, one to four columns; what it shows is the player's queue. */
export function SoundGrid({ sounds, label, hasSoundPages }: SoundGridProps) {
  useEffect(() => {
    startPlayer();
    loadFavorites();
    // Cards that came with this render may be of the sound that plays.
    markPlayButtons($playingId.get());
  });
  return (
    <ul className="sound-grid" data-queue="" aria-label={label}>
      {sounds.map((sound, index) => (
        <li key={sound.id}>
          <SoundCard sound={sound} isFirst={index < FIRST_CARDS} hasPage={hasSoundPages} />
        </li>
      ))}
    </ul>
  );
}
