import { toErrorMessages } from '../../lib/error-messages.ts';

/** What could not be read, and the way to read it again. */
export function ListFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="own-failure" role="alert">
      {toErrorMessages(error).map((message) => (
        <p key={message}>{message}</p>
      ))}
      <button type="button" className="button" onClick={onRetry}>
        もう一度試す
      </button>
    </div>
  );
}

interface MoreButtonProps {
  next: number | null;
  isLoading: boolean;
  onMore: () => void;
}

/** Stays focusable while it loads: focus would be lost, and the store takes a second press for none. */
export function MoreButton({ next, isLoading, onMore }: MoreButtonProps) {
  if (next === null) return null;
  return (
    <button
      type="button"
      className="button own-more"
      aria-disabled={isLoading || undefined}
      aria-busy={isLoading || undefined}
      onClick={onMore}
    >
      {isLoading ? 'Loading...' : 'もっと見る'}
    </button>
  );
}
