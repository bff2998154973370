import { backupFiles, backupsCheck } from './checks/backups.ts';
import { backupCopies } from './checks/copies.ts';
import { erasureList } from './checks/erasures.ts';
import type { Check } from '../doctor/check.ts';

/** What the doctor checks of backups. */
export const BACKUP_CHECKS: readonly Check[] = [backupsCheck, backupFiles, backupCopies, erasureList];
