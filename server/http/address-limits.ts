import { isIP } from 'node:net';

/**
 * What counts as one visitor: an IPv4 address, in whatever way it is written, or an IPv6 network of
 * /64, which is the least that anybody gets (RFC 6177) and can take any address from.
 */
export function toAddressGroup(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (isIP(plain) !== 6) return plain;
  const groups = toGroups(plain);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
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
