import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What counts as one visitor: an IPv4 address, in whatever way it is written, or an IPv6 network of
 * /64, which is the least that anybody gets (RFC 6177) and can take any address from.
 */
export function toAddressGroup(address: string): string {
  return toGroup(address, 4);
}

/**
 * What one customer of a provider can have: an IPv4 /24 or an IPv6 /48, the size that tunnel brokers and hosting
 * providers hand out (RFC 6177). Up to 256 households share one where a provider gives them less.
 */
export function toNetworkGroup(address: string): string {
  return toGroup(address, 3);
}

/** What a provider itself has: an IPv4 /16 or an IPv6 /32, the smallest allocation of a registry (RIPE-738). */
export function toProviderGroup(address: string): string {
  return toGroup(address, 2);
}

/**
 * The network of the first so many bytes (IPv4) or 16-bit groups (IPv6); any other text as it is. `isIP` comes first:
 * ipaddr.js also reads octal, hexadecimal and shortened IPv4 addresses.
 */
function toGroup(address: string, kept: number): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (isIP(plain) === 0) return plain;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv6) {
    const network = parsed.parts.slice(0, kept).map((group) => group.toString(16));
    return `${network.join(':')}::/${kept * 16}`;
  }
  if (kept === 4) return parsed.toString();
  return `${[...parsed.octets.slice(0, kept), ...Array<number>(4 - kept).fill(0)].join('.')}/${kept * 8}`;
}
