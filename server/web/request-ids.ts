import { randomBytes } from 'node:crypto';

/** Ids unlike those of any other process or start, for the price of a counter. */
export function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url').replace(/[-_]/g, 'x');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
