import { type ReactNode, useEffect } from 'react';
import type { Sound } from '../../../contract/sounds/sounds.ts';
import { markPlayButtons } from '../../browser/tracks.ts';
import { $playingId, startPlayer } from '../../stores/player/player.ts';
import { mySounds } from '../../stores/my-sounds/my-sounds.ts';
import { More } from '../ui/More.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { useStore } from '../ui/use-store.ts';

interface SoundPageListProps {
  label: string;
  /** Shown when the list is empty. */
  empty: ReactNode;
  /** One sound as a list item with a key. */
  renderItem: (sound: Sound) => ReactNode;
}

/** The loaded part of the tab's list; it is the player's queue. */
export function SoundPageList({ label, empty, renderItem }: SoundPageListProps) {
  const list = useStore(mySounds.$list);
  const { items, hasMore, isRead, failure } = list;
  useEffect(() => {
    // This render may have added cards of the current sound.
    startPlayer();
    markPlayButtons($playingId.get());
  });
  if (!isRead && failure === null) return <p role="status">Loading...</p>;
  return (
    <>
      {failure?.at === 'first' && (
        <LoadFailure error={failure.error} onRetry={() => void mySounds.reload()} />
      )}
      {items.length > 0 ? (
        <ul className="sound-grid" data-queue="" aria-label={label}>
          {items.map(renderItem)}
        </ul>
      ) : (
        isRead &&
        !hasMore && <p className="grid justify-items-start gap-3 rounded-card bg-tint px-5 py-6">{empty}</p>
      )}
      <More
        list={list}
        onMore={() => void mySounds.more()}
        label="もっと見る"
        busyLabel="Loading..."
        className="own-more"
      />
    </>
  );
}
