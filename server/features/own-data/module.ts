import { previewDeletion, requestDeletion } from '../../../contract/own-data.ts';
import { byMember, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { eraseDueAccounts } from './erasure.ts';
import { DELETIONS, PREVIEWS } from './limits.ts';
import type { OwnDataOptions } from './options.ts';
import { serveOwnData } from './routes.ts';

/** What members do with all of their data: export it, and delete the account. */
export function createOwnDataModule(options: OwnDataOptions): Module {
  return {
    name: 'own data',
    access: [
      declare(previewDeletion, 'member', 'own', byMember(PREVIEWS)),
      declare(requestDeletion, 'member', 'own', byMember(DELETIONS)),
    ],
    serve: (api) => serveOwnData(api, options),
    scheduledJobs: (platform) => [
      {
        name: 'deleted accounts',
        // A thousand sounds with their files take a while; the next scheduled jobs do not wait for it.
        run: async () => platform.backgroundJobs.start((ending) => eraseDueAccounts(platform, ending)),
      },
    ],
  };
}
