import { takeByAddress } from '../../platform/http/address-limits.ts';
import type { RateLimit, RateLimits } from '../../platform/limits/rate-limits.ts';

/** The limits of downloads and credits, from the settings. Days are those of Japan. */
export interface DownloadLimits {
  /**
   * Completed downloads per day: by one visitor, and by one member or all logged-out visitors at one address. Only
   * scrapers reach it.
   */
  readonly perDay: number;
  /** Downloads started per minute by one visitor; ten times as many from one address. */
  readonly begunPerMinute: number;
  /** For this many days, repeated downloads of a sound by one visitor earn its artist nothing. */
  readonly repeatDays: number;
  /** Credits per day of one visitor; more are refused. */
  readonly creditsPerVisitor: number;
  /**
   * Credits per day of one network, and of one network to one artist; more are held, and beyond ten times as many
   * refused.
   */
  readonly creditsPerNetwork: number;
  readonly creditsPerNetworkAndArtist: number;
  /** Credits per day of all networks of one provider; more are held for the staff, as with all limits below. */
  readonly creditsPerProvider: number;
  /** The minimum of an artist's daily allowance (`toAllowance`). */
  readonly heldAbove: number;
  /** The allowance is at least this multiple of the usual day (`readArtistDays`). */
  readonly heldAboveUsual: number;
  /** The maximum of the allowance. */
  readonly creditsPerArtist: number;
  /** Credits per day of the whole site. */
  readonly creditsPerSite: number;
  /**
   * Downloads that are stored per day, of one network, of all networks of one provider, and of the site (`records.ts`).
   * Beyond, the file is sent and nothing is stored. Not below the default, even where the credits' caps are.
   */
  readonly recordsPerNetwork: number;
  readonly recordsPerProvider: number;
  readonly recordsPerSite: number;
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
  recordsPerNetwork: 60,
  recordsPerProvider: 500,
  recordsPerSite: 5_000,
};

/** Adds the caps of stored downloads, which follow those of credits. */
export function withRecordLimits(
  limits: Omit<DownloadLimits, 'recordsPerNetwork' | 'recordsPerProvider' | 'recordsPerSite'>,
): DownloadLimits {
  const least = DOWNLOAD_LIMITS_DEFAULT;
  return {
    ...limits,
    recordsPerNetwork: Math.max(least.recordsPerNetwork, limits.creditsPerNetwork),
    recordsPerProvider: Math.max(least.recordsPerProvider, limits.creditsPerProvider),
    recordsPerSite: Math.max(least.recordsPerSite, limits.creditsPerSite),
  };
}

/** Calls per minute of one browser, and of all browsers at one address. */
interface CallLimits {
  readonly byVisitor: RateLimit;
  readonly byAddress: RateLimit;
}

/** A household or school class behind one address (NAT) is more than one visitor. */
const VISITORS_PER_ADDRESS = 10;

export function toBeginLimits({ begunPerMinute }: DownloadLimits): CallLimits {
  return toCallLimits('download-begin', begunPerMinute);
}

/** Files requested from one address, with or without an intent; `perDay` limits how many it gets in a day. */
export const DOWNLOAD_CALLS: RateLimit = { name: 'download', points: 120, perSec: 60 };

/** A notice is reported a few times, and whenever its tab is hidden or shown. */
export const WATCHING_REPORTS = toCallLimits('download-watching', 30);

/** Counts a call. A browser without our cookie only counts for its address. Throws `TooManyRequests`. */
export async function limitCalls(
  rateLimits: RateLimits,
  { byVisitor, byAddress }: CallLimits,
  visitor: string,
  address: string,
): Promise<void> {
  // Checked first, so that a visitor over the limit uses up nothing of the shared address limit.
  if (visitor !== '') await rateLimits.take(byVisitor, visitor);
  if (address !== '') await takeByAddress(rateLimits, byAddress, address);
}

function toCallLimits(name: string, perMinute: number): CallLimits {
  return {
    byVisitor: { name, points: perMinute, perSec: 60 },
    byAddress: { name: `${name}-address`, points: perMinute * VISITORS_PER_ADDRESS, perSec: 60 },
  };
}
