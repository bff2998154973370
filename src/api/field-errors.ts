import { type FieldError, MESSAGE_LENGTH_MAX, cutMessage } from '../../contract/calls/errors.ts';

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
 * All messages of an error body: `{key: "text"}`, `{key: ["text", …]}`, `{detail: "text"}`, nested, or a list of objects;
 * [] when it contains no text for people. Depth, number and length are bounded because the body can come from any host.
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

/** A proxy's error page, or JSON that could not be parsed. */
function isMachineCode(text: string): boolean {
  return /^\{\s*"|^\[\s*["{[]|^"[^"]*$|<[a-z!/][^>]*>|<!doctype|<html/i.test(text);
}
