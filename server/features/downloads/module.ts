import { withDeps } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { forgetOldAddressKeys } from '../visitors/visitors.ts';
import { deleteOldDownloadData } from './cleanup.ts';
import type { DownloadsOptions } from './options.ts';
import { toDownloadRoutes } from './routes.ts';

/** Downloads and their credits. */
export function createDownloadsModule(options: DownloadsOptions): Module {
  return {
    name: 'downloads',
    routes: withDeps((platform) => ({ ...platform, ...options }), toDownloadRoutes(options)),
    scheduledJobs: (platform) => [
      {
        name: 'old keys of addresses in memory',
        isPerProcess: true,
        run: async () => forgetOldAddressKeys(platform.database, platform.clock.now()),
      },
      { name: 'expired download records', run: () => deleteOldDownloadData({ ...platform, ...options }) },
    ],
  };
}
