import type { AdProviderName } from '../../contract/downloads/ads.ts';

/** The settings of `.env.example` that are public. */
export interface PublicSettings {
  readonly siteName: string;
  /** The public address of the site, without a trailing slash; used by links in mails and heads. */
  readonly siteUrl: string;
  /** '' when the API is served by this same process. */
  readonly apiOrigin: string;
  /** Origin of that API's files; '' for its own host. */
  readonly filesOrigin: string;
  readonly donationHost: string;
  /** The build-time maintenance flag (spec §2). */
  readonly isMaintenance: boolean;
  /** The providers of advertisements before a download, in order of preference. */
  readonly adProviders: readonly AdProviderName[];
  /** The rewarded ad unit in Google Ad Manager; '' without the provider `gpt`. */
  readonly gptAdUnit: string;
  /** Where faults of the site's security are reported, as https or mailto; '' for the contact page. */
  readonly securityContact: string;
  /** The address of what the operator says about such reports; '' for none. */
  readonly securityPolicy: string;
}
