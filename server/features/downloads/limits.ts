import type { RateLimit, RateLimits } from '../../platform/limits/limits.ts';
import type { AddressHashes } from '../visitors/visitors.ts';

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
  /** Credits a day of one visitor; more are refused. */
  readonly creditsPerVisitor: number;
  /** Credits a day of one network, and of one network to one artist; more are held, and ten times as many refused. */
  readonly creditsPerNetwork: number;
  readonly creditsPerNetworkAndArtist: number;
  /** Credits a day of all networks of one provider; more are held for the staff, as all those below. */
  readonly creditsPerProvider: number;
  /** An artist's allowance: so many credits on any day … */
  readonly heldAbove: number;
  /** … or so many times the usual day (`readArtistDays`), if that is more … */
  readonly heldAboveUsual: number;
  /** … and never more than this. */
  readonly creditsPerArtist: number;
  /** Credits a day of the whole site. */
  readonly creditsPerSite: number;
}

export const DOWNLOAD_LIMITS_DEFAULT: DownloadLimits = {
  perDay: 200,
  begunPerMinute: 10,
  repeatDays: 30,
  creditsPerVisitor: 20,
  creditsPerNetwork: 60,
  creditsPerNetworkAndArtist: 5,
  creditsPerProvider: 500,
  heldAbove: 50,
  heldAboveUsual: 3,
  creditsPerArtist: 1_000,
  creditsPerSite: 5_000,
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
