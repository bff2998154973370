export { findCut, findMissingObjects, listToExamine } from './completeness.ts';
export { createBackup } from './create.ts';
export { listBackups } from './pool.ts';
export { restoreBackup } from './restore.ts';
export { requireRestored, requireRestoredFolder } from './restore-marks.ts';
export { readBackupStatus, recordBackup, recordVerification } from './status.ts';
export type { BackupStatus } from './status.ts';
export { verifyBackup } from './verify.ts';
