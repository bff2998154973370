import { SignJWT, jwtVerify } from 'jose';
import { systemClock } from '../concurrency/clock.ts';
import type { Clock } from '../concurrency/clock.ts';

/** Short, to limit the use of a stolen token; the refresh token (spec §4) renews it. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';
const ISSUER = 'sound-marketplace';
const AUDIENCE = 'sound-marketplace-api';
/** RFC 7515 sets no limit. Our tokens are far shorter, so longer ones are not decoded. */
const TOKEN_LENGTH_MAX = 1_024;

export interface TokenHolder {
  readonly userId: string;
  /** The session it belongs to: when that ends, the token is refused. */
  readonly sessionId: string;
}

export interface AccessTokens {
  sign(holder: TokenHolder): Promise<string>;
  /** The subject of a token; null when it is forged, expired or not one of our access tokens. */
  verify(token: string): Promise<TokenHolder | null>;
}

/**
 * Access tokens signed with the first of these secrets of at least 32 bytes; all are accepted. Algorithm, type, issuer and
 * audience are fixed.
 */
export function createAccessTokens(
  secrets: Uint8Array | readonly Uint8Array[],
  clock: Clock = systemClock,
): AccessTokens {
  const [first, ...others] = secrets instanceof Uint8Array ? [secrets] : secrets;
  if (first === undefined || [first, ...others].some(({ byteLength }) => byteLength < 32))
    throw new RangeError('the access token secret needs at least 32 bytes');
  return {
    sign({ userId, sessionId }) {
      const nowSeconds = Math.floor(clock.now() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + ACCESS_TOKEN_SECONDS)
        .sign(first);
    },
    async verify(token) {
      if (token.length > TOKEN_LENGTH_MAX) return null;
      for (const secret of [first, ...others]) {
        const holder = await verifyWith(secret, token, clock);
        if (holder !== null) return holder;
      }
      return null;
    },
  };
}

async function verifyWith(secret: Uint8Array, token: string, clock: Clock): Promise<TokenHolder | null> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      currentDate: new Date(clock.now()),
    });
    const { sub, sid } = payload;
    return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null;
  } catch {
    return null;
  }
}
