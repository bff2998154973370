import { showToast } from '../overlays/overlays.ts';
import { memberSignal } from './member-atom.ts';
import { type PresentOptions, presentError } from './request-errors.ts';

export interface AttemptOptions {
  /** The toast of a success. */
  readonly done?: string | undefined;
  /** How a failure is shown; `each` by default. */
  readonly toasts?: PresentOptions['toasts'];
  /** Whether a failure, which is shown, leaves nothing to do, because someone else was first. */
  isDone?(error: unknown): boolean;
}

/**
 * Sends what a member does, and shows the result as toasts; nothing if the member closes the password prompt, or has left
 * by then. Returns whether it is done. Never throws: callers then read again what it changes.
 */
export async function attempt(
  send: (signal: AbortSignal) => Promise<unknown>,
  { done, toasts = 'each', isDone = () => false }: AttemptOptions = {},
): Promise<boolean> {
  const signal = memberSignal();
  try {
    await send(signal);
  } catch (error) {
    if (signal.aborted) return false;
    presentError(error, { toasts });
    return isDone(error);
  }
  if (signal.aborted) return false;
  if (done !== undefined) showToast('success', done);
  return true;
}
