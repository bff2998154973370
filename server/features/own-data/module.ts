import { withDeps } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { eraseDueAccounts } from './erasure.ts';
import type { OwnDataOptions } from './options.ts';
import { OWN_DATA_ROUTES } from './routes.ts';

/** What members do with all of their data: export it, and delete the account. */
export function createOwnDataModule(options: OwnDataOptions): Module {
  return {
    name: 'own data',
    routes: withDeps((platform) => ({ ...platform, ...options }), OWN_DATA_ROUTES),
    scheduledJobs: (platform) => [
      {
        name: 'deleted accounts',
        // A thousand sounds with their files take a while; the next scheduled jobs do not wait for it.
        run: async () => platform.backgroundJobs.start((ending) => eraseDueAccounts(platform, ending)),
      },
    ],
  };
}
