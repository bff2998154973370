import type { FormState } from '../../lib/form-state.ts';
import type { IconName } from '../../lib/icons.ts';
import { Icon } from './Icon.tsx';
import { useHydrated } from './use-hydrated.ts';

export interface SubmitButtonProps {
  state: FormState['state'];
  submitLabel: string;
  icon?: IconName;
  /** The label while sending. */
  busyLabel?: string;
  /** The label after success, if the form stays visible. */
  doneLabel?: string;
  /** False while something is missing: the form cannot be sent. */
  isReady?: boolean;
  isInRow: boolean;
}

/**
 * Disabled until hydrated, so that the browser never submits the form without JavaScript. Stays focusable while
 * sending, so that focus is not lost; the store ignores a second press.
 */
export function SubmitButton({
  state,
  submitLabel,
  busyLabel = '処理中...',
  doneLabel = submitLabel,
  icon,
  isReady = true,
  isInRow,
}: SubmitButtonProps) {
  const isHydrated = useHydrated();
  const symbol = state === 'done' ? 'check' : icon;
  return (
    <>
      <button
        type="submit"
        className={`button button-primary ${isInRow ? '' : 'form-submit'}`}
        disabled={!isHydrated || !isReady}
        aria-disabled={state !== 'editing' || undefined}
        aria-busy={state === 'sending' || undefined}
      >
        {symbol && <Icon name={symbol} className="size-5" />}
        {state === 'sending' ? busyLabel : state === 'done' ? doneLabel : submitLabel}
      </button>
      <span className="sr-only" role="status">
        {state === 'sending' ? '送信しています' : state === 'done' ? doneLabel : ''}
      </span>
    </>
  );
}
