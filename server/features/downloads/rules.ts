import type { DownloadLimits } from './limits.ts';

/** The facts of a download when it is completed. Counts are today's, without this download. */
export interface DownloadFacts {
  /** By the sound's artist, as far as can be determined (`artist-traces.ts`). */
  readonly isOwn: boolean;
  readonly isArtistBlocked: boolean;
  readonly isPublished: boolean;
  readonly reward: RewardState;
  /** The same visitor or member already had this sound counted, or credited, within the repeat period. */
  readonly wasCounted: boolean;
  readonly wasCredited: boolean;
  /** The visitor's previous credit is too recent for an advertisement to have been shown in between. */
  readonly isTooFast: boolean;
  readonly visitor: DayCounts;
  readonly network: DayCounts;
  readonly networkAndArtist: DayCounts;
  /** Credited today: to networks of one provider, to these for this artist, to this artist, on the whole site. */
  readonly providerCredits: number;
  readonly providerAndArtistCredits: number;
  readonly artistCredits: number;
  readonly siteCredits: number;
  readonly artistDays: ArtistDays;
}

/** An artist's earlier days, from which the expected credits are derived. */
export interface ArtistDays {
  /** The median of daily credits over the 90 days before today, including days without any. */
  readonly usual: number;
  /** The highest daily credits among those of the last 30 days on which the staff approved held ones. */
  readonly approvedMax: number;
}

/**
 * Whether an advertisement was watched for this download; 'repeat': within the day before, and the file is requested
 * again; 'unknown-notice': a notice that this host never had, such as an invented one.
 */
export type RewardState = 'watched' | 'repeat' | 'unknown-notice' | 'no-reward';

export interface DayCounts {
  readonly counted: number;
  readonly credits: number;
}

type RefusalReason =
  | 'own'
  | 'artist-blocked'
  | 'private'
  | Exclude<RewardState, 'watched'>
  | 'too-fast'
  | 'visitor-day'
  | NetworkReason;

type NetworkReason = 'network-day' | 'network-artist-day';

/** Why a credit is held for the staff. */
export const HOLD_REASONS = [
  'network-day',
  'network-artist-day',
  'provider-day',
  'provider-artist-day',
  'velocity',
  'artist-day',
  'site-day',
] as const;
type HoldReason = (typeof HOLD_REASONS)[number];

export interface Verdict {
  /** Whether it is added to the sound's public count. */
  readonly isCounted: boolean;
  readonly credit:
    | { readonly state: 'credited'; readonly reason: '' }
    | { readonly state: 'held'; readonly reason: HoldReason }
    | { readonly state: 'refused'; readonly reason: RefusalReason };
}

/** A network's credits beyond its caps are held up to this multiple of the cap, which bounds the work of the staff. */
const HELD_CAP_MULTIPLE = 10;

/**
 * Decides what a download is worth. Only affects counts and yen: the file has already been sent.
 *
 * The public count includes downloads without an advertisement, but not the artist's own or repeats, and of floods only
 * as many as could be credited: lists are ordered by it, which is an incentive to inflate it.
 */
export function judgeDownload(facts: DownloadFacts, limits: DownloadLimits): Verdict {
  const blocker = findBlocker(facts);
  const isCounted =
    blocker === undefined && !facts.wasCounted && findExceededCap(facts, limits, 'counted') === undefined;
  const reason =
    blocker ??
    (facts.reward === 'watched' ? undefined : facts.reward) ??
    (facts.wasCredited ? 'repeat' : undefined) ??
    (facts.isTooFast ? 'too-fast' : undefined) ??
    findExceededCap(facts, limits, 'credits', HELD_CAP_MULTIPLE);
  if (reason !== undefined) return { isCounted, credit: { state: 'refused', reason } };
  const hold = findHoldReason(facts, limits);
  return hold === undefined
    ? { isCounted, credit: { state: 'credited', reason: '' } }
    : { isCounted, credit: { state: 'held', reason: hold } };
}

function findBlocker(facts: DownloadFacts): RefusalReason | undefined {
  if (facts.isOwn) return 'own';
  if (facts.isArtistBlocked) return 'artist-blocked';
  return facts.isPublished ? undefined : 'private';
}

/** `times`: a multiple of a network's caps. */
function findExceededCap(
  { visitor, network, networkAndArtist }: DownloadFacts,
  limits: DownloadLimits,
  of: keyof DayCounts,
  times = 1,
): 'visitor-day' | NetworkReason | undefined {
  if (visitor[of] >= limits.creditsPerVisitor) return 'visitor-day';
  if (network[of] >= times * limits.creditsPerNetwork) return 'network-day';
  const isExceeded = networkAndArtist[of] >= times * limits.creditsPerNetworkAndArtist;
  return isExceeded ? 'network-artist-day' : undefined;
}

/**
 * Why an otherwise valid download is held for the staff. The network's limits are checked first, so that a flood from
 * one network is not mistaken for popularity.
 */
function findHoldReason(facts: DownloadFacts, limits: DownloadLimits): HoldReason | undefined {
  if (facts.network.credits >= limits.creditsPerNetwork) return 'network-day';
  if (facts.networkAndArtist.credits >= limits.creditsPerNetworkAndArtist) return 'network-artist-day';
  if (facts.providerCredits >= limits.creditsPerProvider) return 'provider-day';
  if (facts.artistCredits >= limits.creditsPerArtist) return 'artist-day';
  const allowance = toAllowance(facts.artistDays, limits);
  if (facts.artistCredits >= allowance) return 'velocity';
  if (facts.providerAndArtistCredits >= allowance / 2) return 'provider-artist-day';
  return facts.siteCredits >= limits.creditsPerSite ? 'site-day' : undefined;
}

/**
 * The number of daily credits of an artist beyond which more are held. It grows with the median of a long period: an
 * artist who uses all of it every day has three times as much after 46 days, so a click farm cannot make its own floods
 * usual within a week.
 */
export function toAllowance(
  { usual, approvedMax }: ArtistDays,
  { heldAbove, heldAboveUsual, creditsPerArtist }: DownloadLimits,
): number {
  return Math.min(creditsPerArtist, Math.max(heldAbove, heldAboveUsual * usual, approvedMax));
}
