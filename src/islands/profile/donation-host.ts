import { createContext } from 'react';

/** The host name of donation links, from the site's settings (spec §5). */
export const DonationHost = createContext('');
