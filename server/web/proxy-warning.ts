import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Log } from '../platform/log.ts';

/** Addresses that visitors cannot have: those of this machine and of private networks (RFC 1918, 4193, 6598). */
const NEARBY = new Set(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal']);

/**
 * Detects a proxy in front of this process that is missing from the settings: all limits would count its address as a
 * single visitor. Logs this once, then stops checking.
 */
export function createProxyWarning(log: Log, trustedHops: number): (req: IncomingMessage) => void {
  let isLooking = trustedHops === 0;
  return (req) => {
    if (!isLooking || req.headers['x-forwarded-for'] === undefined || !isNearby(req)) return;
    isLooking = false;
    log.warn(
      'a request came through a proxy (it has X-Forwarded-For), but TRUSTED_PROXY_HOPS is 0: every limit ' +
        'counts all visitors as one address. Set it to the number of proxies in front of this server.',
    );
  };
}

function isNearby(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress ?? '';
  return ipaddr.isValid(address) && NEARBY.has(ipaddr.process(address).range());
}
