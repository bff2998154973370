import { createContext } from 'react';

/** The host that donation links lead to, of the site's settings (spec §5). */
export const DonationHost = createContext('');
