import type { ButtonHTMLAttributes } from 'react';

interface BusyButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** True while its action runs. */
  isBusy: boolean;
  busyLabel?: string;
}

/** Stays focusable while busy, so that focus is not lost; the store ignores a second press. */
export function BusyButton({ isBusy, busyLabel = '処理中...', children, ...button }: BusyButtonProps) {
  return (
    <button
      type="button"
      className="button"
      {...button}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? busyLabel : children}
    </button>
  );
}
