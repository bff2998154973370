/** What the configuration says where nothing is set, for both sides (`.env.example`). */
export const SITE_NAME_DEFAULT = 'Otoichi';
export const DONATION_HOST_DEFAULT = 'ofuse.me';
