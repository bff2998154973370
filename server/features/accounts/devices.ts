import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { DAY_SEC } from '../../../contract/values/time-units.ts';
import { isKeyedHash, keyedHash } from '../../platform/crypto/keyed-hash.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { ApiEnv } from '../../platform/http/context.ts';

/** RFC 6265bis §5.5: browsers keep cookies no longer than 400 days. */
const MAX_AGE_SEC = 400 * DAY_SEC;

/** What a browser has proved before: the password, or also the second factor. Each has its own cookie. */
type Proof = 'device' | 'code-device';

/** The device cookie that an earlier proof set; '' if absent. */
export function readDevice(context: Context<ApiEnv>, siteUrl: string, proof: Proof = 'device'): string {
  return getCookie(context, toCookieName(siteUrl, proof)) ?? '';
}

/** Sets a cookie that marks the browser as a known device of this account. It grants no access. */
export function setDeviceCookie(
  context: Context<ApiEnv>,
  siteUrl: string,
  device: string,
  proof: Proof = 'device',
): void {
  const secure = siteUrl.startsWith('https:');
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: MAX_AGE_SEC } as const;
  setCookie(context, toCookieName(siteUrl, proof), device, options);
}

/** A signed mark of one device for one account. */
export function makeDevice(
  secret: Uint8Array,
  userId: string,
  deviceId = randomId(),
  proof: Proof = 'device',
): string {
  return `${deviceId}.${keyedHash(secret, proof, userId, deviceId)}`;
}

/** The device's id; undefined when the mark is not ours or was made for another account or proof. */
export function findDeviceId(
  secret: Uint8Array,
  userId: string,
  device: string,
  proof: Proof = 'device',
): string | undefined {
  const [deviceId = '', signature = ''] = device.split('.');
  return isKeyedHash(signature, secret, proof, userId, deviceId) ? deviceId : undefined;
}

/** The prefix prevents neighbouring host names from setting the cookie (RFC 6265bis §4.1.3.2); it needs HTTPS. */
function toCookieName(siteUrl: string, proof: Proof): string {
  return siteUrl.startsWith('https:') ? `__Host-${proof}` : proof;
}
