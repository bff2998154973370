/**
 * The common form of errors. Hosts answer errors as `{key: "text"}`, `{key: ["text", …]}` or `{detail: "text"}`, and
 * some nest them; all are converted to a list of `FieldError`.
 */
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
/** The same for staff with a second factor (decision 091): a code, or a code and the password. */
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

const MESSAGE_LENGTH_MAX = 500;
/** More than a form has fields. Toasts beyond the twenty of spec §9 wait for their turn. */
const MESSAGES_MAX = 100;
/** A field's name is shorter. */
const KEY_LENGTH_MAX = 60;
const DEPTH_MAX = 8;
/** Keys under which frameworks put the message of one error, the most specific first. */
const MESSAGE_KEYS = ['message', 'msg', 'detail', 'title'];
/** Keys under which frameworks put the field of an error. */
const FIELD_KEYS = ['field', 'param', 'loc'];
/** Keys that contain errors without naming a field. */
const WRAPPERS = new Set(['error', 'errors', 'detail', 'details', 'data']);
/** Keys of errors about a whole object, and positions in a list; inside a field they mean that field. */
const NAMELESS = /^(?:\d+|non_field_errors|__all__)$/;

/**
 * All messages of an error body: flat, as lists, nested, or as a list of objects; [] when it contains no text for
 * people. Depth, number and length are bounded because the body can come from any host.
 */
export function toFieldErrors(body: unknown): FieldError[] {
  if (typeof body === 'string') return toErrors(body.length > MESSAGE_LENGTH_MAX ? '' : body, 'detail');
  return collectErrors(body, 'detail', 0).slice(0, MESSAGES_MAX);
}

function collectErrors(value: unknown, key: string, depth: number): FieldError[] {
  if (typeof value === 'string') return toErrors(value, key);
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return [];
  if (Array.isArray(value)) {
    return value.slice(0, MESSAGES_MAX).flatMap((item) => collectErrors(item, key, depth + 1));
  }
  const entries = Object.entries(value).slice(0, MESSAGES_MAX);
  const sentence = MESSAGE_KEYS.find((name) => typeof Reflect.get(value, name) === 'string');
  // In an error object, the other entries (code, status, type) are for machines.
  if (sentence !== undefined && depth > 0) {
    return collectErrors(Reflect.get(value, sentence), readField(value) ?? toFieldKey(key), depth + 1);
  }
  return entries.flatMap(([name, inner]) =>
    name === 'code' && sentence !== undefined ? [] : collectErrors(inner, toInnerKey(name, key), depth + 1),
  );
}

/** Which field an entry inside another one is about. */
function toInnerKey(name: string, outer: string): string {
  const isNamed = !NAMELESS.test(name) && !WRAPPERS.has(name);
  return isNamed || (WRAPPERS.has(outer) && !/^\d/.test(name)) ? name : toFieldKey(outer);
}

/** The field that an error object names; `loc` is a path whose last entry is the field. */
function readField(error: object): string | undefined {
  const named = FIELD_KEYS.map((name) => Reflect.get(error, name) as unknown);
  return named
    .map((name) => (Array.isArray(name) ? (name.at(-1) as unknown) : name))
    .find((name): name is string => typeof name === 'string' && name !== '');
}

function toFieldKey(key: string): string {
  return WRAPPERS.has(key) ? 'detail' : key;
}

function toErrors(text: string, key: string): FieldError[] {
  const message = text.trim();
  if (message === '' || isMachineCode(message)) return [];
  return [{ key: cutMessage(key, KEY_LENGTH_MAX), message: cutMessage(message) }];
}

/** A text as long as a toast can show. */
export function cutMessage(text: string, lengthMax = MESSAGE_LENGTH_MAX): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

/** A proxy's error page, or JSON that could not be parsed. */
function isMachineCode(text: string): boolean {
  return /^\{\s*"|^\[\s*["{[]|^"[^"]*$|<[a-z!/][^>]*>|<!doctype|<html/i.test(text);
}

function toKind(status: number): ApiErrorKind {
  if (status === 0 || status >= 500) return 'unavailable';
  if (status === 404 || status === 410) return 'not-found';
  return status === 401 ? 'unauthorised' : 'refused';
}
