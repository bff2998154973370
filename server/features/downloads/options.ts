import type { AdProviderName } from '../../../contract/ads.ts';
import type { DownloadLimits } from './limits.ts';

/** What downloads need beside the platform. */
export interface DownloadsOptions {
  readonly downloadLimits: DownloadLimits;
  /** Whose advertisements grant a download. */
  readonly adProviders: readonly AdProviderName[];
  readonly notices: NoticeTimes;
  /** What a download is credited with from now on; 0 only counts it. */
  readonly rewardYenPerDownload: number;
  /**
   * Whether a browser or network that an artist has used makes a download the artist's own. On every real site; without
   * it only the logged-in artist's downloads are, so that one person can try both sides.
   */
  readonly tracesArtists: boolean;
}

/** How long the notices of this host have to be watched. */
interface NoticeTimes {
  /** In seconds; undefined for a notice that this host does not have. */
  findSeconds(id: string): number | undefined;
}
