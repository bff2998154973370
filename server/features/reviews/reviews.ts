export { collectLeftovers, destroyFiles, markPending } from './life-cycle.ts';
export { examineImage, storeImage } from './personal-info/images.ts';
export type { ImageFault } from './personal-info/images.ts';
export { openPersonalInfoKey, toPublicKeyFile } from './personal-info/key.ts';
export { PERSONAL_INFO, findPersonalInfoStanding, updateStanding } from './personal-info/kind.ts';
export {
  confirmView,
  decidePersonalInfo,
  getPersonalInfo,
  handOverPersonalInfo,
  listPendingPersonalInfo,
  viewPersonalInfo,
} from './personal-info/review.ts';
export type { Decision } from './personal-info/review.ts';
export {
  findSubmissionSince,
  insertIncoming as insertIncomingPersonalInfo,
  withdrawSince,
} from './personal-info/submission-queries.ts';
export { findChangedDetails } from './personal-info/verified-details.ts';
export { analyseFiles, toAnalysis } from './quality-check/analysis.ts';
export { toFileKey } from './quality-check/application.ts';
export { QUALITY_CHECK } from './quality-check/kind.ts';
export { toFilePath, withQualityCheckFiles } from './quality-check/media.ts';
export { insertIncoming as insertIncomingQualityCheck } from './quality-check/queries.ts';
export {
  approveQualityCheck,
  getQualityCheck,
  listPendingQualityChecks,
  parkQualityCheck,
  rejectQualityCheck,
} from './quality-check/review.ts';
export { revokeQualityCheck } from './quality-check/revocation.ts';
export { withdrawSubmissions } from './withdrawal.ts';
export { findQualityCheckStanding } from './quality-check/standing.ts';
