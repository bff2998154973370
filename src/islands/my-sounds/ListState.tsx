import { useLayoutEffect, useRef } from 'react';
import { toErrorMessages } from '../../lib/error-messages.ts';
import type { SoundPages, SoundPagesStore } from '../../stores/my-sounds/my-sounds.ts';

/** Why a list could not be read, and a retry button. */
export function ListFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 text-danger" role="alert">
      {toErrorMessages(error).map((message) => (
        <p key={message}>{message}</p>
      ))}
      <button
        type="button"
        className="button"
        onClick={({ currentTarget }) => {
          // The button disappears with the failure, so focus moves to the list.
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

/** The button for the next page below the cards, and why that page could not be read. */
export function MoreSounds({ list: { sounds, next, isLoadingMore, failure }, pages }: MoreSoundsProps) {
  const place = useRef<HTMLDivElement>(null);
  const countBefore = useRef<number | null>(null);
  useLayoutEffect(() => {
    const count = countBefore.current;
    if (isLoadingMore || count === null) return;
    countBefore.current = null;
    // After the last page the button disappears, so focus has to move.
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
          className="button own-more mx-auto min-w-48"
          // Not disabled, so that focus is not lost; the store ignores a second press.
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
