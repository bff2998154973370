import type { Module } from '../../platform/http/http.ts';
import { deleteAllExpired } from './expiry.ts';
import { ACCOUNT_ROUTES } from './routes.ts';

/** Registration, sessions and passwords. */
export function createAccountsModule(): Module {
  return {
    name: 'accounts',
    routes: ACCOUNT_ROUTES,
    scheduledJobs: (platform) => [
      { name: 'expired sessions and links', run: () => deleteAllExpired(platform) },
    ],
  };
}
