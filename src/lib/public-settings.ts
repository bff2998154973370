import { AD_PROVIDER_NAMES, type AdProviderName } from '../../contract/ads.ts';
import { DONATION_HOST_DEFAULT, SITE_NAME_DEFAULT } from '../../contract/defaults.ts';

/** The settings that a visitor may see, of those in `.env.example`. */
export interface PublicSettings {
  readonly siteName: string;
  /** Where the site stands for the world, without a slash at the end; links in mails and heads use it. */
  readonly siteUrl: string;
  /** '' when the API is served by this same process. */
  readonly apiOrigin: string;
  /** Where that API's files are; '' for its own host. */
  readonly filesOrigin: string;
  readonly donationHost: string;
  /** The build-time maintenance flag (spec §2). */
  readonly isMaintenance: boolean;
  /** Who shows an advertisement before a download, in the order they are tried. */
  readonly adProviders: readonly AdProviderName[];
  /** The rewarded ad unit in Google Ad Manager; '' without the provider `gpt`. */
  readonly gptAdUnit: string;
}

/** Where src/ is deployed alone, its settings come from the platform's environment. */
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

/** The names that are known, of a list with commas. */
export function toAdProviders(list: string): AdProviderName[] {
  return list
    .split(',')
    .flatMap((part) => AD_PROVIDER_NAMES.find((name) => name === part.trim().toLowerCase()) ?? []);
}
