import * as v from 'valibot';

/** RFC 5321 §4.5.3.1.3, in UTF-16 code units. */
const EMAIL_LENGTH_MAX = 254;

/**
 * Spec §5: text, one `@`, text, a dot, text, without white space. Also rejects invisible characters and the delimiters
 * of RFC 5322 (`specials` except the dot), which could make one text readable as several addresses. Whether an accepted
 * address exists is only known on delivery.
 */
const EMAIL =
  /^[^\s\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{NChar}\ufffc\u2800()<>[\]:;@\\,"]+@[^\s\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{NChar}\ufffc\u2800()<>[\]:;@\\,"]+\.[^\s\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{NChar}\ufffc\u2800()<>[\]:;@\\,"]+$/u;
/** Some mail servers decode encoded words (RFC 2047) inside an address and then deliver to a different one. */
const ENCODED_WORD = '=?';

/**
 * Normalises an address for storage: half-width, trimmed, with its domain in lower case and without the final dot, with
 * which a domain is the same.
 */
export function normaliseEmail(text: string): string {
  const email = text.normalize('NFKC').trim();
  const at = email.lastIndexOf('@');
  if (at < 0) return email;
  let end = email.length;
  while (end > at && '.。'.includes(email.charAt(end - 1))) end -= 1;
  return email.slice(0, at) + email.slice(at, end).toLowerCase();
}

/** Whether a normalised address has the form of spec §5 and names exactly one recipient. */
export function isEmail(email: string): boolean {
  return (
    email.length <= EMAIL_LENGTH_MAX &&
    EMAIL.test(email) &&
    !email.includes(ENCODED_WORD) &&
    email === email.normalize('NFKC')
  );
}

/** A required address, with the messages for one that is missing or has another form. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredEmail(missing: string, malformed: string) {
  return v.pipe(
    v.optional(v.string(malformed), ''),
    v.transform(normaliseEmail),
    v.nonEmpty(missing),
    v.check(isEmail, malformed),
  );
}

export const EMAIL_PROBLEM = 'メールアドレスの形式が正しくありません。';
/** For all forms but those to register and to log in, whose messages spec §5 quotes. */
export const EmailSchema = requiredEmail('メールアドレスを入力してください。', EMAIL_PROBLEM);
