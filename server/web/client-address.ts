import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const MAPPED_V4 = /^::ffff:(?=\d+\.)/i;
/** Some proxies append the port, which a visitor changes with each connection. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+)):\d+$/;

/**
 * The client's address. Each of the `trustedHops` proxies in front of this process has appended the address it saw to
 * `X-Forwarded-For`; earlier entries come from the visitor and are ignored.
 */
export function toClientAddress(req: IncomingMessage, trustedHops: number): string {
  const direct = (req.socket.remoteAddress ?? '').replace(MAPPED_V4, '');
  if (trustedHops === 0) return direct;
  const header = req.headers['x-forwarded-for'];
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  const entry = seen.at(-trustedHops)?.trim() ?? '';
  const address = entry.replace(WITH_PORT, '$1$2').replace(MAPPED_V4, '');
  return isIP(address) === 0 ? direct : address;
}
