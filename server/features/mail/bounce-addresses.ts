import { keyedHash } from '../../platform/crypto/keyed-hash.ts';

/** Part of the hash in an address: 80 bits, which nobody can try out by mail. */
const MARK_BYTES = 10;
const PURPOSE = 'mail-bounce';
/** Hexadecimal, because some mail servers change the case of addresses. */
const TOKEN = /\+([0-9a-f]{2,40})\.([0-9a-f]{20})@/i;

/** A local part of a setting so long leaves room for the token within the 64 bytes of RFC 5321 §4.5.3.1.1. */
export const BOUNCE_NAME_MAX = 10;

/**
 * The envelope sender of one mail (VERP): `bounces@example.jp` becomes `bounces+ID.MARK@example.jp`. The address itself
 * for an id that does not fit.
 */
export function toBounceAddress(address: string, mailId: string, secret: Uint8Array): string {
  if (mailId.length > 16) return address;
  const at = address.lastIndexOf('@');
  const token = `${Buffer.from(mailId).toString('hex')}.${toMark(secret, mailId)}`;
  return `${address.slice(0, at)}+${token}${address.slice(at)}`;
}

/** The id of the mail that an address was made for; undefined for any other address. */
export function findBouncedMail(address: string, secret: Uint8Array): string | undefined {
  const [, id = '', mark = ''] = TOKEN.exec(address) ?? [];
  const mailId = Buffer.from(id, 'hex').toString('latin1');
  return mailId !== '' && mark.toLowerCase() === toMark(secret, mailId) ? mailId : undefined;
}

function toMark(secret: Uint8Array, mailId: string): string {
  return Buffer.from(keyedHash(secret, PURPOSE, mailId), 'base64url')
    .subarray(0, MARK_BYTES)
    .toString('hex');
}
