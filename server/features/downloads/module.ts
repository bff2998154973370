import { DownloadQuerySchema } from '../../../contract/download-queries.ts';
import { beginDownload, downloadSound, reportWatching } from '../../../contract/downloads.ts';
import { byAddress, declare, inService } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { forgetOldAddressKeys } from '../visitors/visitors.ts';
import { deleteOldDownloadData } from './cleanup.ts';
import { DOWNLOAD_CALLS, WATCHING_REPORTS, toBeginLimits } from './limits.ts';
import type { DownloadsOptions } from './options.ts';
import { serveDownloads } from './routes.ts';

/** Downloads and their credits. */
export function createDownloadsModule(options: DownloadsOptions): Module {
  const beginLimits = toBeginLimits(options.downloadLimits);
  return {
    name: 'downloads',
    access: [
      declare(
        beginDownload,
        'anyone',
        'own or public',
        inService('browser', beginLimits.byVisitor),
        inService('address', beginLimits.byAddress),
      ),
      declare(
        reportWatching,
        'anyone',
        'secret',
        inService('browser', WATCHING_REPORTS.byVisitor),
        inService('address', WATCHING_REPORTS.byAddress),
      ),
      declare(
        { ...downloadSound, query: DownloadQuerySchema },
        'anyone',
        'own or public',
        byAddress(DOWNLOAD_CALLS),
      ),
    ],
    serve: (api) => serveDownloads(api, options),
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
