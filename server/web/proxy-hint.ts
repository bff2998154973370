import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Log } from '../platform/log.ts';

/** Addresses that no visitor comes from: this machine's, and those of networks of one's own (RFC 1918, 4193, 6598). */
const NEARBY = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  NEARBY.addSubnet(network, prefix, 'ipv4');
}
NEARBY.addAddress('::1', 'ipv6');
NEARBY.addSubnet('fc00::', 7, 'ipv6');
NEARBY.addSubnet('fe80::', 10, 'ipv6');

/**
 * Looks at requests for a sign that a proxy stands before us which the settings do not know: to all limits, its
 * address is then the only visitor there is. Says so once, and looks no more.
 */
export function createProxyHint(log: Log, trustedHops: number): (req: IncomingMessage) => void {
  let isLooking = trustedHops === 0;
  return (req) => {
    if (!isLooking || req.headers['x-forwarded-for'] === undefined || !isNearby(req)) return;
    isLooking = false;
    log.warn(
      'a request came through a proxy (it has X-Forwarded-For), but TRUSTED_PROXY_HOPS is 0: all visitors ' +
        'count as one address, for every limit. Set it to the number of proxies before this server.',
    );
  };
}

function isNearby(req: IncomingMessage): boolean {
  const address = (req.socket.remoteAddress ?? '').replace(/%.*$/, '');
  const family = isIP(address);
  return family !== 0 && NEARBY.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
