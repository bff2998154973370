export { expirePersonalInfo } from './personal-info/expiry.ts';
export { storeImage, toImageKey } from './personal-info/images.ts';
export { openPersonalInfoKey, toPublicKeyFile, warnOfMissingKeys } from './personal-info/key.ts';
export { destroyLeftover, sweepDecidedPersonalInfo } from './personal-info/leftovers.ts';
export { findPersonalInfoStanding, updateStanding } from './personal-info/queries.ts';
export { resealPersonalInfo } from './personal-info/resealing.ts';
export { decidePersonalInfo, listPendingPersonalInfo, viewPersonalInfo } from './personal-info/review.ts';
export type { Decision } from './personal-info/review.ts';
export { SUBMISSIONS, servePersonalInfo } from './personal-info/routes.ts';
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
export { sweepQualityChecks } from './quality-check/leftovers.ts';
export { APPLICATIONS } from './quality-check/limits.ts';
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
export { serveQualityCheck } from './quality-check/routes.ts';
export { findQualityCheckStanding } from './quality-check/standing.ts';
