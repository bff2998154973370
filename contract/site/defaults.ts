/** Default settings of both client and server (`.env.example`). */
export const SITE_NAME_DEFAULT = 'Otoichi';
export const DONATION_HOST_DEFAULT = 'ofuse.me';
