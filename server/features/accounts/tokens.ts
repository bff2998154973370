import { createHash, createHmac, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
/** What `randomId` makes. */
const ID = /^[0-9A-Za-z]{1,40}$/;
/** A session's id and 32 bytes in base64url. */
const REFRESH_TOKEN = /^([0-9A-Za-z]{1,40})\.[\w-]{43}$/;

/** A token that cannot be guessed: 32 random bytes in base64url. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** A token as it is kept: SHA-256 in hex. Random tokens need no salt and no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The token that confirms a registration. It follows from the secret and the registration, so the same link can be
 * mailed again although only its hash is stored.
 */
export function toConfirmationToken(secret: Uint8Array, registrationId: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['confirm', registrationId]))
    .digest('base64url');
}

/** Whether a text from outside can be an id of ours at all. */
export function isId(text: string): boolean {
  return ID.test(text);
}

export function makeRefreshToken(sessionId: string): string {
  return `${sessionId}.${makeToken()}`;
}

/** The session a refresh token names; undefined when it is none of ours. */
export function toSessionId(refreshToken: string): string | undefined {
  return REFRESH_TOKEN.exec(refreshToken)?.[1];
}

/**
 * The refresh token that follows this one. It can be made again, so that a token sent twice gets the
 * same successor though only hashes are kept; without the secret nobody can go on by themselves.
 */
export function toNextRefreshToken(secret: Uint8Array, refreshToken: string): string {
  const next = createHmac('sha256', secret).update(refreshToken).digest('base64url');
  return `${toSessionId(refreshToken) ?? ''}.${next}`;
}
