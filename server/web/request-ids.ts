import { randomBytes } from 'node:crypto';

/** Ids that are unique across processes and restarts, at the cost of a counter. */
export function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url').replace(/[-_]/g, 'x');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
