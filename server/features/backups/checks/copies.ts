import { HOUR_MS } from '../../../../contract/values/time-units.ts';
import { readCopyState } from '../bucket/schedule.ts';
import { diagnose } from '../../doctor/check.ts';
import type { Check } from '../../doctor/check.ts';

/** The bucket is not asked: the key of the server may not read. */
export const backupCopies: Check = {
  name: 'backup copies',
  priority: 'warning',
  stage: 'quick',
  consoleText: 'バックアップの写しを送れていません',
  async run({ settings: { backups, backupCopies: target }, clock }) {
    if (backups === null || target === null) return [];
    const { last, failing } = await readCopyState(backups.folder);
    const at = last === null ? 'never' : new Date(last.atMs).toISOString();
    if (failing !== null) {
      return [
        diagnose({
          kind: 'failing',
          found: `The last backup could not be copied to the bucket: ${failing.message} (last copy: ${at}).`,
          meaning: 'What happened since the last copy is lost if the machine and BACKUP_DIR are.',
          remedy:
            'Check BACKUP_URL, and the right of its key to write; the server tries again within the hour.',
        }),
      ];
    }
    if (clock.now() - (last?.atMs ?? 0) <= 2 * backups.everyHours * HOUR_MS) return [];
    return [
      diagnose({
        kind: 'overdue',
        found: `No backup was copied to the bucket for ${2 * backups.everyHours} hours (last copy: ${at}).`,
        meaning: 'The server does not run, or the first copy is still under way: it has all files.',
        remedy: 'Start the server; if it is running, wait for the first copy, then look into the log.',
      }),
    ];
  },
};
