import type { Module } from '../../platform/http/http.ts';
import { forgetErasures, keepErasures } from './erasures.ts';
import { startDueBackup } from './schedule.ts';
import type { BackupsOptions } from './schedule.ts';

/** Backups that the server makes by itself. */
export function createBackupsModule(options: BackupsOptions): Module {
  return {
    name: 'backups',
    scheduledJobs: (platform) => [
      { name: 'old erasures', run: () => forgetErasures(platform) },
      {
        name: 'erasures',
        isPerProcess: true,
        run: () => keepErasures(platform, options.schedule?.folder ?? null),
      },
      // BACKUP_DIR is a folder of the machine; a lease lets one of its processes make the backup.
      { name: 'backups', isPerProcess: true, run: () => startDueBackup(platform, options) },
    ],
  };
}
