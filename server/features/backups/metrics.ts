import { HOUR_SEC } from '../../../contract/values/time-units.ts';
import type { Platform } from '../../platform/http/context.ts';
import { toSeconds } from '../../platform/metrics.ts';
import type { MetricSource } from '../../platform/metrics.ts';
import type { BackupsOptions } from './schedule.ts';
import { readBackupStatus } from './status.ts';

/** When backups were made and verified. They are read like the state of the site. */
export function listBackupMetrics(
  { clock }: Pick<Platform, 'clock'>,
  { site, schedule }: Pick<BackupsOptions, 'site' | 'schedule'>,
): MetricSource {
  return {
    isKept: true,
    metrics: [
      {
        name: 'site_backup_interval_seconds',
        help: 'How often the server makes a backup; 0: BACKUP_DIR is not set here.',
      },
      { name: 'site_backup_timestamp_seconds', help: 'When the last backup was made; 0: none is known.' },
      {
        name: 'site_backup_verified_timestamp_seconds',
        help: 'When a backup was last read to its end without a fault; 0: never.',
      },
      {
        name: 'site_backup_failing_since_timestamp_seconds',
        help: 'The first failure since the last backup; 0: none.',
      },
    ],
    async read() {
      const { lastBackup, lastVerified, failing } = await readBackupStatus(
        site.dataDir,
        schedule,
        clock.now(),
      );
      return {
        site_backup_interval_seconds: (schedule?.everyHours ?? 0) * HOUR_SEC,
        site_backup_timestamp_seconds: toSeconds(lastBackup?.atMs),
        site_backup_verified_timestamp_seconds: toSeconds(lastVerified?.atMs),
        site_backup_failing_since_timestamp_seconds: toSeconds(failing?.sinceMs),
      };
    },
  };
}
