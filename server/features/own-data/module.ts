import {
  EXPORT_FILE_PATH,
  previewDeletion,
  requestDeletion,
  requestExport,
} from '../../../contract/own-data.ts';
import { accepted, byAddress, byMember, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { eraseDueAccounts } from './erasure.ts';
import { DELETIONS, EXPORTS, EXPORT_CALLS, EXPORT_REQUESTS, PREVIEWS } from './limits.ts';
import type { OwnDataOptions } from './options.ts';
import { serveOwnData } from './routes.ts';

/** What members do with all of their data: export it, and delete the account. */
export function createOwnDataModule(options: OwnDataOptions): Module {
  return {
    name: 'own data',
    access: [
      declare(previewDeletion, 'member', 'own', byMember(PREVIEWS)),
      declare(requestDeletion, 'member', 'own', byMember(DELETIONS)),
      declare(requestExport, 'member', 'own', byMember(EXPORT_REQUESTS), accepted(byMember(EXPORTS))),
      declare({ method: 'GET', path: EXPORT_FILE_PATH }, 'anyone', 'secret', byAddress(EXPORT_CALLS)),
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
