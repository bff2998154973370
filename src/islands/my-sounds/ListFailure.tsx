import { toErrorMessages } from '../../lib/error-messages.ts';

/** Why a list could not be read, and a retry button. */
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
