import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { TooManyRequests } from '../limits/rate-limits.ts';
import type { ConcurrencyLimit, RateLimit, RateLimits } from '../limits/rate-limits.ts';

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

/** How many times the limit of one visitor a network has, and a provider. */
export const NETWORK_MULTIPLE = 8;
export const PROVIDER_MULTIPLE = 64;

/**
 * The groups that share a limit of one visitor, and how many times that limit each has: a customer rotates visitors
 * within a network, and networks within a provider. The widest comes first, so that a group at its limit makes no
 * further keys.
 */
export const ADDRESS_TIERS = [
  { tier: 'provider', toGroup: toProviderGroup, multiple: PROVIDER_MULTIPLE },
  { tier: 'network', toGroup: toNetworkGroup, multiple: NETWORK_MULTIPLE },
  { tier: 'address', toGroup: toAddressGroup, multiple: 1 },
] as const;

/** What a limit states: the uses of one visitor, or of one customer's network. */
export type LimitedGroup = 'address' | 'network';

/** The groups that share a limit which is stated for an address, or for a network: then its provider has 8 times as many. */
export function toTiers(of: LimitedGroup) {
  const own = ADDRESS_TIERS.find(({ tier }) => tier === of)?.multiple ?? 1;
  return ADDRESS_TIERS.filter(({ multiple }) => multiple >= own).map(({ multiple, ...tier }) => ({
    ...tier,
    multiple: multiple / own,
  }));
}

type Counting = Pick<RateLimits, 'take' | 'refund'>;

/**
 * Counts one use of an address for all its groups, or for none. Returns a function that reverts it. Throws
 * `TooManyRequests`. `of`: whose limit it is.
 */
export async function takeByAddress(
  rateLimits: Counting,
  { name, points, perSec }: RateLimit,
  address: string,
  of: LimitedGroup = 'address',
): Promise<() => Promise<void>> {
  return takeAll(
    rateLimits,
    toTiers(of).map(({ tier, toGroup, multiple }) => [
      { name: tier === of ? name : `${name} of ${tier}`, points: points * multiple, perSec },
      toGroup(address),
    ]),
  );
}

/** Counts one use for each of these limits and keys, or for none; otherwise like `takeByAddress`. */
export async function takeAll(
  rateLimits: Counting,
  limits: readonly (readonly [limit: RateLimit, key: string])[],
): Promise<() => Promise<void>> {
  const taken: (readonly [RateLimit, string])[] = [];
  const refund = async () => {
    for (const [limit, key] of taken) await rateLimits.refund(limit, key);
  };
  try {
    for (const [limit, key] of limits) {
      await rateLimits.take(limit, key);
      taken.push([limit, key]);
    }
  } catch (error) {
    if (error instanceof TooManyRequests) await refund();
    throw error;
  }
  return refund;
}

/** How many times the concurrent uses of one address its groups have: fewer than uses, since all share what there is. */
const CONCURRENCY_MULTIPLES = { provider: 3, network: 2, address: 1 } as const;

/** Admits an address for all its groups, or for none, like `RateLimits.acquire`. */
export function acquireByAddress(
  { acquire }: Pick<RateLimits, 'acquire'>,
  { name, concurrency }: ConcurrencyLimit,
  address: string,
): () => void {
  const acquired: (() => void)[] = [];
  const release = () => acquired.forEach((end) => end());
  try {
    for (const { tier, toGroup } of ADDRESS_TIERS) {
      const limit = { name: `${name} of ${tier}`, concurrency: concurrency * CONCURRENCY_MULTIPLES[tier] };
      acquired.push(acquire(limit, toGroup(address)));
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/**
 * The network of the given number of leading bytes (IPv4) or 16-bit groups (IPv6); any other text is returned
 * unchanged. `isIP` comes first: ipaddr.js also reads octal, hexadecimal and shortened IPv4 addresses.
 */
function toGroup(address: string, groupCount: number): string {
  const plain = address.includes('%') ? address.replace(/%.*$/, '') : address;
  // On the path of every request: Node accepts IPv4 addresses in one spelling only.
  const version = isIP(plain);
  if (version === 0 || (version === 4 && groupCount === 4)) return plain.toLowerCase();
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv6) {
    const network = parsed.parts.slice(0, groupCount).map((group) => group.toString(16));
    return `${network.join(':')}::/${groupCount * 16}`;
  }
  if (groupCount === 4) return parsed.toString();
  return `${[...parsed.octets.slice(0, groupCount), ...Array<number>(4 - groupCount).fill(0)].join('.')}/${groupCount * 8}`;
}
