import * as v from 'valibot';

/** RFC 5321 §4.5.3.1. */
const EMAIL_LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;

/**
 * The addresses we write to: a plain local part, then a host name with a dot. Narrower than RFC 5321
 * on purpose: no quotes, comments or groups, nor the `!`, `%` and `?` of old routes and encoded words, so
 * that no mail program can read it in a second way.
 */
const EMAIL =
  /^[A-Za-z0-9#$&'*+/=^_~-]+(?:\.[A-Za-z0-9#$&'*+/=^_~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** An address as it is kept: half-width, without spaces around it, its domain in lower case. */
export function normaliseEmail(text: string): string {
  const email = text.normalize('NFKC').trim();
  const at = email.lastIndexOf('@');
  return at < 0 ? email : email.slice(0, at) + email.slice(at).toLowerCase();
}

/** Whether a normalised address is one that mail can be sent to (spec §5: x@y.z). */
export function isEmail(email: string): boolean {
  return email.length <= EMAIL_LENGTH_MAX && email.lastIndexOf('@') <= LOCAL_LENGTH_MAX && EMAIL.test(email);
}

/** A required address, with the messages of spec §5. */
export const EmailSchema = v.pipe(
  v.optional(v.string('Invalid email format'), ''),
  v.transform(normaliseEmail),
  v.nonEmpty('Email is required'),
  v.check(isEmail, 'Invalid email format'),
);
