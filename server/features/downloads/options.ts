import type { AdProviderName } from '../../../contract/downloads/ads.ts';
import type { Database } from '../../platform/database/open.ts';
import type { CertificatesOptions } from '../certificates/issuing.ts';
import type { DownloadLimits } from './limits.ts';

/** What downloads need in addition to the platform. */
export interface DownloadsOptions extends CertificatesOptions {
  readonly downloadLimits: DownloadLimits;
  /** The providers whose advertisements grant a download. */
  readonly adProviders: readonly AdProviderName[];
  readonly notices: HostNotices;
  /** Yen credited per download from now on; 0 only counts it. */
  readonly rewardYenPerDownload: number;
  /**
   * Whether a browser or network that an artist has used makes a download the artist's own. Enabled on every real site.
   * When disabled, only downloads of the logged-in artist are, so that one person can try both sides.
   */
  readonly detectsOwnDownloads: boolean;
}

/** This host's notices. */
interface HostNotices {
  /** In seconds; undefined for a notice that this host does not have. */
  findSeconds(database: Pick<Database, 'db'>, id: string, nowMs: number): Promise<number | undefined>;
  /** Whether there is one to show now. */
  hasVisibleNotice(database: Database, nowMs: number): Promise<boolean>;
}
