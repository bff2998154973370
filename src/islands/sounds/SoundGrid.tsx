import { useEffect } from 'react';
import type { CardSound } from '../../lib/card-sound.ts';
import { markPlayButtons } from '../../lib/tracks.ts';
import { $playingId, startPlayer } from '../../stores/player/player.ts';
import { loadFavorites } from '../../stores/favorites/favorites.ts';
import { SoundCard } from './SoundCard.tsx';

/** Cards above the fold, whose pictures are not loaded lazily. */
const FIRST_CARDS = 4;

interface SoundGridProps {
  sounds: readonly CardSound[];
  /** The list's name for screen readers. */
  label: string;
  /** Whether sounds have pages (capability `sound-pages`). */
  hasSoundPages: boolean;
}

/** A list of sounds in one to four columns; it is the player's queue. */
export function SoundGrid({ sounds, label, hasSoundPages }: SoundGridProps) {
  useEffect(() => {
    startPlayer();
    loadFavorites();
    // This render may have added cards of the playing sound.
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
