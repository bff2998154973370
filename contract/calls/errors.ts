/** An error of a call: our host sends `{key: message}`. */
export interface FieldError {
  /** A field's name, or `detail` for the whole request. */
  readonly key: string;
  readonly message: string;
}

/**
 * The `code` beside the `detail` of a 403: the host requires the password again before this change
 * (decision 032). Only our own host sends it.
 */
export const RECENT_LOGIN_REQUIRED = 'recent_login_required';
/** The `code` for staff with a second factor (decision 091): a code is required, or a code and the password. */
export const SECOND_FACTOR_REQUIRED = 'second_factor_required';
export const SECOND_FACTOR_AND_PASSWORD_REQUIRED = 'second_factor_and_password_required';

export type ApiErrorKind =
  'refused' | 'not-found' | 'unauthorised' | 'unavailable' | 'unexpected-reply' | 'cancelled';

/** A failed call. `status` is 0 when no reply arrived (network, time-out). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly kind: ApiErrorKind;
  readonly fields: readonly FieldError[];
  /** When to retry, if the host said so. */
  readonly retryAfterSec: number | undefined;

  constructor(
    status: number,
    fields: readonly FieldError[],
    options: { kind?: ApiErrorKind; cause?: unknown; retryAfterSec?: number } = {},
  ) {
    const kind = options.kind ?? toKind(status);
    super(fields[0]?.message ?? `${kind} (${status})`, { cause: options.cause });
    this.status = status;
    this.kind = kind;
    this.fields = fields;
    this.retryAfterSec = options.retryAfterSec;
  }
}

export const MESSAGE_LENGTH_MAX = 500;

/** A text as long as a toast can show. */
export function cutMessage(text: string, lengthMax = MESSAGE_LENGTH_MAX): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

function toKind(status: number): ApiErrorKind {
  if (status === 0 || status >= 500) return 'unavailable';
  if (status === 404 || status === 410) return 'not-found';
  return status === 401 ? 'unauthorised' : 'refused';
}
