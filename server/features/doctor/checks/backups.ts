import { readBackupStatus } from '../../backups/backups.ts';
import { diagnose } from '../check.ts';
import type { Check } from '../check.ts';

export const backupsCheck: Check = {
  name: 'backups',
  priority: 'warning',
  isCheap: true,
  async run({ settings, clock }) {
    const { failing, isOverdue } = await readBackupStatus(settings.dataDir, settings.backups, clock.now());
    if (failing !== null) {
      return [
        diagnose({
          kind: 'failing',
          found: `The last backup failed: ${failing.message}`,
          meaning: 'What happened since the last backup is lost if the disk is.',
          remedy: 'Make room or mount the disk at BACKUP_DIR; the server tries again within the hour.',
        }),
      ];
    }
    if (!isOverdue) return [];
    return [
      diagnose({
        kind: 'overdue',
        found: 'The last backup is older than two intervals of BACKUP_EVERY_HOURS.',
        meaning: 'No server process makes backups.',
        remedy: 'Start the server; if it is running, look into its log.',
      }),
    ];
  },
};
