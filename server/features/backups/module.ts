import { readVersion } from '../../platform/version.ts';
import type { Feature } from '../feature.ts';
import { recordErasure } from './erasure-queries.ts';
import { BACKUP_CHECKS } from './checks.ts';
import { listBackupMetrics } from './metrics.ts';
import { forgetErasures, keepErasures } from './erasures.ts';
import { forgetPlaces, reportPlace } from './places.ts';
import { startDueBackup } from './schedule.ts';
import type { BackupsOptions } from './schedule.ts';

/** Backups that the server makes by itself. */
export const backupsFeature: Feature<BackupsOptions> = {
  name: 'backups',
  erasure: {
    rows: (transaction, { id }, nowMs) => recordErasure(transaction, { id, kind: 'account' }, nowMs),
  },
  checks: BACKUP_CHECKS,
  openOptions: ({ settings }) => ({
    site: {
      siteName: settings.siteName,
      version: readVersion(),
      dataDir: settings.dataDir,
      database: settings.database,
      storage: settings.storage,
    },
    schedule: settings.backups,
    copies: settings.backupCopies,
    operatorEmail: settings.operatorEmail,
  }),
  createModule: (options) => ({
    metrics: (platform) => [listBackupMetrics(platform, options)],
    scheduledJobs: (platform) => [
      { name: 'old erasures', run: () => forgetErasures(platform) },
      { name: 'old places of backups', run: () => forgetPlaces(platform) },
      {
        name: 'places of backups',
        isPerProcess: true,
        run: async () => {
          const { site, schedule: backups } = options;
          if (backups !== null) await reportPlace(platform, { dataDir: site.dataDir, backups });
        },
      },
      { name: 'erasures', isPerProcess: true, run: () => keepErasures(platform, options.schedule) },
      // BACKUP_DIR is a folder of the machine; a lease lets one of its processes make the backup.
      { name: 'backups', isPerProcess: true, run: () => startDueBackup(platform, options) },
    ],
  }),
};
