/**
 * The one error taxonomy. Hosts answer errors as `{key: "text"}`, `{key: ["text", …]}` or
 * `{detail: "text"}` (decisions.md); all become a list of `FieldError`.
 */
export interface FieldError {
  /** A field's name, or `detail` for the request as a whole. */
  readonly key: string;
  readonly message: string;
}

export type ApiErrorKind = 'refused' | 'not-found' | 'unauthorised' | 'unavailable' | 'unexpected-reply';

/** A call that did not succeed. `status` is 0 when no answer came (network, time-out). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly kind: ApiErrorKind;
  readonly fields: readonly FieldError[];
  /** When it is worth trying again, where the host has said so. */
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

const SENTENCE_LENGTH_MAX = 500;

/** Every message of an error body in any of its forms; [] when the body says nothing readable. */
export function toFieldErrors(body: unknown): FieldError[] {
  if (typeof body === 'string') return isSentence(body) ? [{ key: 'detail', message: body.trim() }] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    toMessages(value).map((message) => ({ key, message })),
  );
}

/** A host may answer with bare text; the page of a proxy in between says nothing to a person. */
function isSentence(text: string): boolean {
  return text.trim() !== '' && text.length <= SENTENCE_LENGTH_MAX && !text.trimStart().startsWith('<');
}

function toMessages(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function toKind(status: number): ApiErrorKind {
  if (status === 0 || status >= 500) return 'unavailable';
  if (status === 404 || status === 410) return 'not-found';
  return status === 401 ? 'unauthorised' : 'refused';
}
