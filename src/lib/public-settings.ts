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
}

/** Where src/ is deployed alone, its settings come from the platform's environment. */
export function readPublicSettings(get: (name: string) => string | undefined): PublicSettings {
  return {
    siteName: get('SITE_NAME') || SITE_NAME_DEFAULT,
    siteUrl: (get('SITE_URL') || 'http://127.0.0.1:4321').replace(/\/+$/, ''),
    apiOrigin: (get('API_ORIGIN') ?? '').replace(/\/+$/, ''),
    filesOrigin: (get('FILES_ORIGIN') ?? '').replace(/\/+$/, ''),
    donationHost: get('DONATION_HOST') || DONATION_HOST_DEFAULT,
    isMaintenance: get('MAINTENANCE') === 'true',
  };
}
