import { AD_PROVIDER_NAMES, type AdProviderName } from '../../contract/ads.ts';
import { DONATION_HOST_DEFAULT, SITE_NAME_DEFAULT } from '../../contract/defaults.ts';

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
}

/** If src/ is deployed alone, its settings come from the platform's environment. */
export function readPublicSettings(get: (name: string) => string | undefined): PublicSettings {
  const adProviders = toAdProviders(get('AD_PROVIDERS') || 'house');
  return {
    siteName: get('SITE_NAME') || SITE_NAME_DEFAULT,
    siteUrl: (get('SITE_URL') || 'http://127.0.0.1:4321').replace(/\/+$/, ''),
    apiOrigin: (get('API_ORIGIN') ?? '').replace(/\/+$/, ''),
    filesOrigin: (get('FILES_ORIGIN') ?? '').replace(/\/+$/, ''),
    donationHost: get('DONATION_HOST') || DONATION_HOST_DEFAULT,
    isMaintenance: get('MAINTENANCE') === 'true',
    adProviders,
    gptAdUnit: adProviders.includes('gpt') ? (get('GPT_AD_UNIT') ?? '') : '',
  };
}

/** The known names in a comma-separated list. */
export function toAdProviders(list: string): AdProviderName[] {
  return list
    .split(',')
    .flatMap((part) => AD_PROVIDER_NAMES.find((name) => name === part.trim().toLowerCase()) ?? []);
}
