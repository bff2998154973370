import type { IncomingMessage } from 'node:http';

const MAPPED_V4 = /^::ffff:(?=\d+\.)/i;
const ADDRESS = /^[\da-f.:]{2,45}$/i;

/**
 * Who asks. Each of the `trustedHops` proxies before us has added the address it saw to the end of
 * `X-Forwarded-For`; what stands before those entries is whatever the visitor wrote, and never counts.
 */
export function toClientAddress(req: IncomingMessage, trustedHops: number): string {
  const direct = (req.socket.remoteAddress ?? '').replace(MAPPED_V4, '');
  if (trustedHops === 0) return direct;
  const header = req.headers['x-forwarded-for'];
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  const address = seen.at(-trustedHops)?.trim().replace(MAPPED_V4, '') ?? '';
  return ADDRESS.test(address) ? address : direct;
}
