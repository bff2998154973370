import { ApiError, type FieldError } from '../../../contract/calls/errors.ts';
import { toErrorMessages, toKeyedMessages } from '../../lib/error-messages.ts';
import { showToast } from '../overlays/overlays.ts';

export interface PresentOptions {
  /**
   * `each`: a toast for each message. `keyed`: one for each key of the reply, as `key: message` (spec §8).
   * `each-keyed`: one for each message, with its key.
   */
  readonly toasts: 'each' | 'keyed' | 'each-keyed' | 'none';
  /** Whether a key of the reply is a field that shows its own messages. */
  isField?(key: string): boolean;
}

/** The message shown instead of a failed call. */
export interface RequestErrors {
  /** For the fields, in the order of the reply. */
  readonly fields: readonly FieldError[];
  /** For the request as a whole: the other messages of the reply, or what to do if it names no fields. */
  readonly problems: readonly string[];
  /** Whether the reply itself gives reasons. */
  readonly isExplained: boolean;
  /** Status of the reply; 0 when none came. */
  readonly status: number;
}

/** Turns a failed call into toasts, field messages and a text for the form (spec §8). Never throws. */
export function presentError(
  error: unknown,
  { toasts, isField = () => false }: PresentOptions,
): RequestErrors {
  const status = error instanceof ApiError ? error.status : 0;
  const given = error instanceof ApiError && status !== 0 ? error.fields : [];
  const messages = toErrorMessages(error);
  const raised = {
    none: [],
    each: messages,
    keyed: toKeyedMessages(error),
    'each-keyed': given.length > 0 ? given.map(({ key, message }) => `${key}: ${message}`) : messages,
  }[toasts];
  for (const message of raised) showToast('error', message);
  return {
    fields: given.filter(({ key }) => isField(key)),
    problems: given.length === 0 ? messages : given.flatMap((s) => (isField(s.key) ? [] : [s.message])),
    isExplained: given.length > 0,
    status,
  };
}

/** The first message of each field, by its key. */
export function firstOfEach(fields: readonly FieldError[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ key, message }) => [key, message] as const).toReversed());
}

/** Whether the member closed the password prompt: nothing was sent, so there is nothing to report. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'cancelled';
}
