import { useLayoutEffect, useRef } from 'react';
import { toErrorMessages } from '../../lib/error-messages.ts';
import type { SoundPages, SoundPagesStore } from '../../stores/my-sounds/my-sounds.ts';

/** What could not be read, and the way to read it again. */
export function ListFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="own-failure" role="alert">
      {toErrorMessages(error).map((message) => (
        <p key={message}>{message}</p>
      ))}
      <button
        type="button"
        className="button"
        onClick={({ currentTarget }) => {
          // The button goes with the failure: focus stays with what it was about.
          currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
          onRetry();
        }}
      >
        もう一度試す
      </button>
    </div>
  );
}

interface MoreSoundsProps {
  list: Extract<SoundPages, { state: 'ready' }>;
  pages: SoundPagesStore;
}

/** The way to the next page, below the cards that are here, and why it could not be read. */
export function MoreSounds({ list: { sounds, next, isLoadingMore, failure }, pages }: MoreSoundsProps) {
  const place = useRef<HTMLDivElement>(null);
  const countBefore = useRef<number | null>(null);
  useLayoutEffect(() => {
    const count = countBefore.current;
    if (isLoadingMore || count === null) return;
    countBefore.current = null;
    // After the last page the button is gone, and focus with it.
    if (next === null && document.activeElement === document.body) focusCard(place.current, count);
  }, [isLoadingMore, next]);
  const showMore = () => {
    countBefore.current = sounds.length;
    place.current?.querySelector<HTMLElement>('.own-more')?.focus({ preventScroll: true });
    void pages.showMore();
  };
  return (
    <div ref={place} className="contents">
      {failure?.at === 'more' && <ListFailure error={failure.error} onRetry={showMore} />}
      {next !== null && (
        <button
          type="button"
          className="button own-more"
          // Not disabled: focus would be lost, and the store takes a second press for none.
          aria-disabled={isLoadingMore || undefined}
          aria-busy={isLoadingMore || undefined}
          onClick={showMore}
        >
          {isLoadingMore ? 'Loading...' : 'もっと見る'}
        </button>
      )}
    </div>
  );
}

function focusCard(place: HTMLElement | null, index: number): void {
  const cards = place?.previousElementSibling?.children;
  const card = cards?.[index] ?? cards?.[cards.length - 1];
  card?.querySelector<HTMLElement>('button, a')?.focus();
}
