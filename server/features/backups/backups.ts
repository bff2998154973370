export { answerParent, askChild } from './child.ts';
export { PlaceInUse, withScratch } from './claim.ts';
export type { CopyTarget } from './bucket/copies.ts';
export { fetchBackup } from './bucket/fetch.ts';
export { readCopyState } from './bucket/schedule.ts';
export { findCut, findMissingObjects, listToExamine } from './completeness.ts';
export { createBackup } from './create.ts';
export { markErased } from './erasure-queries.ts';
export {
  ERASURES_BYTES_MAX,
  countErasuresSince,
  listUnsavedErasures,
  measureErasures,
  readErasures,
  saveErasures,
} from './erasures.ts';
export { BackupRefused } from './format.ts';
export { listPlaces, reportPlace } from './places.ts';
export type { BackupPlace } from './places.ts';
export { describeFuture, listDated } from './pool.ts';
export { restoreBackup } from './restore.ts';
export { requireRestored, requireRestoredFolder } from './restore-marks.ts';
export { readBackupStatus, recordBackup, recordDrill, recordVerification } from './status.ts';
export type { BackupState, BackupStatus, Schedule } from './status.ts';
export { findLatestBackup } from './trial.ts';
export { verifyBackup } from './verify.ts';
