import { isIP } from 'node:net';

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

/** The network of the first so many bytes (IPv4) or 16-bit groups (IPv6); any other text as it is. */
function toGroup(address: string, kept: number): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const version = isIP(plain);
  if (version === 4) return toIPv4Group(plain.split('.'), kept);
  if (version !== 6) return plain;
  const groups = toGroups(plain);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return toIPv4Group([high >> 8, high & 0xff, low >> 8, low & 0xff], kept);
  }
  const network = groups.slice(0, kept).map((group) => group.toString(16));
  return `${network.join(':')}::/${kept * 16}`;
}

function toIPv4Group(bytes: readonly (string | number)[], kept: number): string {
  if (kept === 4) return bytes.join('.');
  return `${[...bytes.slice(0, kept), ...Array<number>(4 - kept).fill(0)].join('.')}/${kept * 8}`;
}

/** The eight groups of a valid IPv6 address (RFC 4291 §2.2). */
function toGroups(address: string): number[] {
  const [head = '', tail = ''] = toHexOnly(address).split('::');
  const before = toNumbers(head);
  const after = toNumbers(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** `::ffff:192.0.2.1` as `::ffff:c000:201`. */
function toHexOnly(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
}

function toNumbers(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}
