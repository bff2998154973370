import type { IncomingMessage } from 'node:http';

const MAPPED_V4 = /^::ffff:(?=\d+\.)/i;
const ADDRESS = /^[\da-f.:]{2,45}$/i;

/**
 * The client's address. Each of the `trustedHops` proxies in front of this process has appended the address it saw to
 * `X-Forwarded-For`; earlier entries come from the visitor and are ignored.
 */
export function toClientAddress(req: IncomingMessage, trustedHops: number): string {
  const direct = (req.socket.remoteAddress ?? '').replace(MAPPED_V4, '');
  if (trustedHops === 0) return direct;
  const header = req.headers['x-forwarded-for'];
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  const address = seen.at(-trustedHops)?.trim().replace(MAPPED_V4, '') ?? '';
  return ADDRESS.test(address) ? address : direct;
}
