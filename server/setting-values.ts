import * as v from 'valibot';
import { isEmail, normaliseEmail } from '../contract/values/emails.ts';
import { CONSIGNOR_DEPOSITS, isConsignorName } from './features/ledger/zengin/settings.ts';
import { CONSIGNOR_LENGTH_MAX } from './features/ledger/zengin/format.ts';
import { BOUNCE_NAME_MAX } from './features/mail/bounce-addresses.ts';
import { findSealingKey } from './platform/crypto/sealed-keys.ts';
import { findSecretKey } from './platform/crypto/secrets.ts';
import { mustBe, text } from './web/public-settings.ts';

/** A decimal number of at most nine digits. */
export function wholeNumber(fallback: number, min: number, max: number) {
  return v.pipe(
    text(String(fallback)),
    v.check(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
      mustBe(`a whole number from ${min} to ${max}`),
    ),
    v.transform(Number),
  );
}

/** One of a few words, in upper or lower case. */
export function choice<const Words extends readonly string[]>(fallback: Words[number], words: Words) {
  return v.pipe(text(fallback), v.toLowerCase(), v.picklist(words, mustBe(`one of ${words.join(', ')}`)));
}

/** '' when not set. The value may hold a password, so the message does not repeat it. */
export function url(...protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return v.pipe(
    text(''),
    v.check(
      (value) => value === '' || protocols.includes(URL.parse(value)?.protocol ?? ''),
      `must be an address that begins with ${starts}, or stay empty.`,
    ),
  );
}

/** '' when not set. The value may be an account number, so the message does not repeat it. */
export function digits(length: number) {
  return v.pipe(
    text(''),
    v.check(
      (value) => value === '' || (value.length === length && /^\d+$/.test(value)),
      `must be ${length} digits, or stay empty.`,
    ),
  );
}

/** `address`, `Name <address>` or `"Name" <address>`. */
export function mailbox(fallback: string) {
  return v.pipe(
    text(fallback),
    v.check((value) => isEmail(toMailbox(value).address), mustBe('an e-mail address, or Name <address>')),
    v.transform(toMailbox),
  );
}

/** An e-mail address, or ''. */
export function emailAddress() {
  return v.pipe(
    text(''),
    v.transform(normaliseEmail),
    v.check((value) => value === '' || isEmail(value), mustBe('an e-mail address')),
  );
}

/** An address with room for the token of a mail, or ''. */
export function bounceAddress() {
  return v.pipe(
    emailAddress(),
    v.check(
      (value) => value.lastIndexOf('@') <= BOUNCE_NAME_MAX,
      mustBe(`an e-mail address with at most ${BOUNCE_NAME_MAX} characters before the @`),
    ),
  );
}

/** A host name, or ''. */
export function hostName() {
  return v.pipe(
    text(''),
    v.check((value) => value === '' || /^[\w.-]{1,253}$/.test(value), mustBe('a host name')),
  );
}

function toMailbox(value: string) {
  const named = /^(?:"([^"<>\\\p{Cc}]*)"|([^"<>\\\p{Cc}]*))\s*<([^<>]*)>$/u.exec(value);
  return {
    name: (named?.[1] ?? named?.[2] ?? '').trim(),
    address: normaliseEmail(named?.[3] ?? value),
  };
}

/** A key from which secrets are derived. */
export function secretKey() {
  return key(
    findSecretKey,
    'must be at least 32 random bytes in base64 or hex, such as the output of openssl rand -base64 32.',
  );
}

/** A public key that seals; `command` makes one. */
export function publicKey(command: string) {
  return key(
    findSealingKey,
    `must be an X25519 public key: the line that "npm run operator -- ${command}" prints, or PEM.`,
  );
}

/** Null when not set. The value may be secret, so the message does not repeat it. */
function key<Key>(find: (value: string) => Key | undefined, message: string) {
  return v.pipe(
    text(''),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      const found = value === '' ? null : find(value);
      if (found !== undefined) return found;
      addIssue({ message });
      return NEVER;
    }),
  );
}

/** The operator's bank account. */
export const ZENGIN_SETTINGS = {
  ZENGIN_CONSIGNOR_CODE: digits(10),
  ZENGIN_CONSIGNOR_NAME: v.pipe(
    text(''),
    v.check(
      (value) => isConsignorName(value),
      mustBe(`a name in kana, capital letters and digits of at most ${CONSIGNOR_LENGTH_MAX} characters`),
    ),
  ),
  ZENGIN_BANK_CODE: digits(4),
  ZENGIN_BRANCH_CODE: digits(3),
  ZENGIN_DEPOSIT_TYPE: v.pipe(
    text('普通'),
    v.picklist(CONSIGNOR_DEPOSITS, mustBe(`one of ${CONSIGNOR_DEPOSITS.join(', ')}`)),
  ),
  ZENGIN_ACCOUNT_NUMBER: digits(7),
};
