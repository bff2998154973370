import { createHash, createHmac, randomBytes } from 'node:crypto';
import { keyedHash } from '../../platform/crypto/keyed-hash.ts';

const TOKEN_BYTES = 32;
/** A session's id and 32 bytes in base64url. */
const REFRESH_TOKEN = /^([0-9A-Za-z]{1,40})\.[\w-]{43}$/;

/** An unguessable token: 32 random bytes in base64url. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The stored form of a token: SHA-256 in hex. Random tokens need no salt and no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The token that confirms a registration. It is derived from the secret and the registration, so the same link can be
 * mailed again although only its hash is stored.
 */
export function toConfirmationToken(secret: Uint8Array, registrationId: string): string {
  return keyedHash(secret, 'confirm', registrationId);
}

export function makeRefreshToken(sessionId: string): string {
  return `${sessionId}.${makeToken()}`;
}

/** The session id in a refresh token; undefined when the token does not have our form. */
export function toSessionId(refreshToken: string): string | undefined {
  return REFRESH_TOKEN.exec(refreshToken)?.[1];
}

/**
 * The refresh token that follows this one. It is derived, so a token sent twice gets the same successor although only
 * hashes are stored. Deriving it requires the secret.
 */
export function toNextRefreshToken(secret: Uint8Array, refreshToken: string): string {
  const next = createHmac('sha256', secret).update(refreshToken).digest('base64url');
  return `${toSessionId(refreshToken) ?? ''}.${next}`;
}
