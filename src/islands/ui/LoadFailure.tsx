import { toErrorMessages } from '../../lib/error-messages.ts';

interface LoadFailureProps {
  /** Set if the position on the page does not show what is missing. */
  title?: string;
  error: unknown;
  onRetry: () => void;
}

/** Displayed instead of content that did not load: why, and a retry button. */
export function LoadFailure({ title, error, onRetry }: LoadFailureProps) {
  return (
    <div className="form-note" role="alert">
      {title && <p className="font-semibold">{title}</p>}
      {toErrorMessages(error).map((message) => (
        <p key={message}>{message}</p>
      ))}
      <button
        type="button"
        className="button mt-2"
        onClick={({ currentTarget }) => {
          // The button disappears with the failure, so focus moves to what it is part of.
          currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
          onRetry();
        }}
      >
        もう一度読み込む
      </button>
    </div>
  );
}
