import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The key of one visitor: an IPv4 address in any notation, or an IPv6 /64 network, the smallest assignment (RFC 6177),
 * within which a visitor can use any address.
 */
export function toAddressGroup(address: string): string {
  return toGroup(address, 4);
}

/**
 * The network of one provider's customer: an IPv4 /24 or an IPv6 /48, the size that tunnel brokers and hosting
 * providers assign (RFC 6177). Up to 256 households share one if their provider assigns less.
 */
export function toNetworkGroup(address: string): string {
  return toGroup(address, 3);
}

/** The network of a provider: an IPv4 /16 or an IPv6 /32, the smallest allocation of a registry (RIPE-738). */
export function toProviderGroup(address: string): string {
  return toGroup(address, 2);
}

/**
 * The network of the given number of leading bytes (IPv4) or 16-bit groups (IPv6); any other text is returned
 * unchanged. `isIP` comes first: ipaddr.js also reads octal, hexadecimal and shortened IPv4 addresses.
 */
function toGroup(address: string, kept: number): string {
  const plain = address.includes('%') ? address.replace(/%.*$/, '') : address;
  // On the path of every request: Node accepts IPv4 addresses in one spelling only.
  const version = isIP(plain);
  if (version === 0 || (version === 4 && kept === 4)) return plain.toLowerCase();
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv6) {
    const network = parsed.parts.slice(0, kept).map((group) => group.toString(16));
    return `${network.join(':')}::/${kept * 16}`;
  }
  if (kept === 4) return parsed.toString();
  return `${[...parsed.octets.slice(0, kept), ...Array<number>(4 - kept).fill(0)].join('.')}/${kept * 8}`;
}
