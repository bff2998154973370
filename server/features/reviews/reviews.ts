export { storeImage, toImageKey } from './personal-info/images.ts';
export { openPersonalInfoKey, toPublicKeyFile } from './personal-info/key.ts';
export { destroyLeftover } from './personal-info/leftovers.ts';
export { findPersonalInfoStanding, updateStanding } from './personal-info/queries.ts';
export { decidePersonalInfo, listPendingPersonalInfo, viewPersonalInfo } from './personal-info/review.ts';
export type { Decision } from './personal-info/review.ts';
export {
  findSubmissionSince,
  forgetObject,
  insertIncoming as insertIncomingPersonalInfo,
  markDecided as markPersonalInfoDecided,
  markPending as markPersonalInfoPending,
  withdrawSince,
} from './personal-info/submission-queries.ts';
export { UnfitPersonalInfo } from './personal-info/unfit.ts';
export { toFileKey } from './quality-check/application.ts';
export { toFilePath, withQualityCheckFiles } from './quality-check/media.ts';
export {
  insertIncoming as insertIncomingQualityCheck,
  markPending as markQualityCheckPending,
} from './quality-check/queries.ts';
export {
  approveQualityCheck,
  getQualityCheck,
  listPendingQualityChecks,
  rejectQualityCheck,
} from './quality-check/review.ts';
export { findQualityCheckStanding } from './quality-check/standing.ts';
