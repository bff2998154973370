import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^16 is about 2^95: private sounds cannot be found by guessing ids. */
const ID_LENGTH = 16;
/** The largest multiple of the alphabet's length in a byte; larger bytes would favour its first letters. */
const FAIR_LIMIT = 256 - (256 % ALPHABET.length);

/** A URL-safe random id. */
export function randomId(): string {
  let id = '';
  while (id.length < ID_LENGTH) {
    for (const byte of randomBytes(ID_LENGTH * 2)) {
      if (byte < FAIR_LIMIT && id.length < ID_LENGTH) id += ALPHABET[byte % ALPHABET.length];
    }
  }
  return id;
}

/** Sites may bring longer ids with them. */
const ID = /^[0-9A-Za-z]{1,40}$/;

/** Whether an external text has the form of an id. Other texts are never sent to a database. */
export function isId(text: string): boolean {
  return ID.test(text);
}
