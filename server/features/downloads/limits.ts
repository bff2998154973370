import type { RateLimit, RateLimits } from '../../ports/rate-limits.ts';
import type { AddressHashes } from './addresses.ts';

/** What is let through and what is credited; all of them settings. Days are those of Japan. */
export interface DownloadLimits {
  /**
   * Completed downloads a day: of one visitor, and of one member, or of all who are logged out at one address.
   * Only scrapers come here.
   */
  readonly perDay: number;
  /** Downloads begun a minute by one visitor; ten times as many from one address. */
  readonly begunPerMinute: number;
  /** For so many days a visitor who has had a sound earns its artist nothing more by it. */
  readonly repeatDays: number;
  /** Credits a day: of one visitor, of one network, and of one network to one artist. */
  readonly creditsPerVisitor: number;
  readonly creditsPerNetwork: number;
  readonly creditsPerNetworkAndArtist: number;
  /** An artist's credits are held for the staff on a day that has more than this … */
  readonly heldAbove: number;
  /** … and more than so many times the mean of the fourteen days before. */
  readonly heldAboveMean: number;
}

export const DOWNLOAD_LIMITS_DEFAULT: DownloadLimits = {
  perDay: 200,
  begunPerMinute: 10,
  repeatDays: 30,
  creditsPerVisitor: 20,
  creditsPerNetwork: 60,
  creditsPerNetworkAndArtist: 5,
  heldAbove: 50,
  heldAboveMean: 5,
};

/** How often a minute a browser may call, and all those together that have one address. */
interface CallLimits {
  readonly byVisitor: RateLimit;
  readonly byAddress: RateLimit;
}

/** A household or a school class behind one address (NAT) is not one visitor. */
const VISITORS_PER_ADDRESS = 10;

export function toBeginLimits({ begunPerMinute }: DownloadLimits): CallLimits {
  return toCallLimits('download-begin', begunPerMinute);
}

/** Files asked for by one address, with an intent or without; how many it gets in a day is `perDay`. */
export const DOWNLOAD_CALLS: RateLimit = { name: 'download', points: 600, perSec: 60 };

/** A notice is reported a few times, and each time its tab is hidden or shown. */
export const WATCHING_REPORTS = toCallLimits('download-watching', 120);

/** Counts a call; a browser without a cookie of ours counts for its address alone. Throws `TooMany`. */
export async function limitCalls(
  rateLimits: RateLimits,
  { byVisitor, byAddress }: CallLimits,
  visitor: string,
  { host }: AddressHashes,
): Promise<void> {
  // First, so that who has had too much by himself takes nothing from his neighbours.
  if (visitor !== '') await rateLimits.take(byVisitor, visitor);
  await rateLimits.take(byAddress, host);
}

function toCallLimits(name: string, perMinute: number): CallLimits {
  return {
    byVisitor: { name, points: perMinute, perSec: 60 },
    byAddress: { name: `${name}-address`, points: perMinute * VISITORS_PER_ADDRESS, perSec: 60 },
  };
}
