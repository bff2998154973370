import type { DownloadLimits } from './limits.ts';

/** What is known of a download when it is completed. Counts are of today and without this one. */
export interface DownloadFacts {
  /** By the sound's artist, as far as can be known (`own-traces.ts`). */
  readonly isOwn: boolean;
  readonly isArtistBlocked: boolean;
  readonly isPublished: boolean;
  readonly reward: RewardState;
  /** The same visitor or member had this sound counted, or credited, within the days of a repeat. */
  readonly wasCounted: boolean;
  readonly wasCredited: boolean;
  /** The visitor had any sound credited so shortly before that no advertisement fits in between. */
  readonly isTooFast: boolean;
  readonly visitor: DayCounts;
  readonly network: DayCounts;
  readonly networkAndArtist: DayCounts;
  /** The artist's credits today, and a day's mean of the fourteen days before. */
  readonly artistCredits: number;
  readonly artistMean: number;
}

/**
 * Whether an advertisement was watched for this very download; 'repeat': within the day before, and for its
 * file again; 'unknown-notice': one that this host never had, such as an invented one.
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
  | 'network-day'
  | 'network-artist-day';

/** Why a download was not credited at once, for the staff. */
export const REASONS: Readonly<Record<RefusalReason | 'velocity', string>> = {
  own: 'by the artist, logged in or from a browser or network they have used',
  'artist-blocked': 'the artist is blocked',
  private: 'the sound is not public',
  'no-reward': 'no advertisement was watched',
  'unknown-notice': 'the notice that was watched is not one of this host',
  repeat: 'the same visitor or member had this sound credited before',
  'too-fast': 'no advertisement fits between it and the visitor’s last one',
  'visitor-day': 'the visitor had as many credits today as one may have',
  'network-day': 'the network had as many credits today as one may have',
  'network-artist-day': 'the network had as many credits of this artist today as one may have',
  velocity: 'the artist suddenly had far more downloads than usual',
};

export interface Verdict {
  /** Whether it goes into the sound's public count. */
  readonly isCounted: boolean;
  readonly credit:
    | { readonly state: 'credited'; readonly reason: '' }
    | { readonly state: 'held'; readonly reason: 'velocity' }
    | { readonly state: 'refused'; readonly reason: RefusalReason };
}

/**
 * What a download is worth. It decides over counts and yen alone: the file has been given by then.
 *
 * The public count takes downloads without an advertisement too, since a download is one; not the
 * artist's own, no repeats, and of floods as many as could be credited: it orders lists, and somebody
 * would press for that.
 */
export function judgeDownload(facts: DownloadFacts, limits: DownloadLimits): Verdict {
  const shut = findShut(facts);
  const isCounted =
    shut === undefined && !facts.wasCounted && findFlood(facts, limits, 'counted') === undefined;
  const reason =
    shut ??
    (facts.reward === 'watched' ? undefined : facts.reward) ??
    (facts.wasCredited ? 'repeat' : undefined) ??
    (facts.isTooFast ? 'too-fast' : undefined) ??
    findFlood(facts, limits, 'credits');
  if (reason !== undefined) return { isCounted, credit: { state: 'refused', reason } };
  return isSudden(facts, limits)
    ? { isCounted, credit: { state: 'held', reason: 'velocity' } }
    : { isCounted, credit: { state: 'credited', reason: '' } };
}

function findShut(facts: DownloadFacts): RefusalReason | undefined {
  if (facts.isOwn) return 'own';
  if (facts.isArtistBlocked) return 'artist-blocked';
  return facts.isPublished ? undefined : 'private';
}

function findFlood(
  { visitor, network, networkAndArtist }: DownloadFacts,
  limits: DownloadLimits,
  of: keyof DayCounts,
): RefusalReason | undefined {
  if (visitor[of] >= limits.creditsPerVisitor) return 'visitor-day';
  if (network[of] >= limits.creditsPerNetwork) return 'network-day';
  return networkAndArtist[of] >= limits.creditsPerNetworkAndArtist ? 'network-artist-day' : undefined;
}

function isSudden({ artistCredits, artistMean }: DownloadFacts, limits: DownloadLimits): boolean {
  const today = artistCredits + 1;
  return today > limits.heldAbove && today > limits.heldAboveMean * artistMean;
}
