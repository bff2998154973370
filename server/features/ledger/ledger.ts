export { PENDING_DAYS_DEFAULT, readFigures } from './figures.ts';
export { hasOpenRequest, lockWaiting, selectDecidedRequests, selectMemberRequests } from './queries.ts';
export { reverseReward } from './reversals.ts';
export { SOUND_REFERENCE } from './statement-queries.ts';
export {
  MAKE_BANK_FILE,
  bookDecision,
  listTransferRequests,
  payTransferRequest,
  refuseTransferRequest,
} from './transfer-decisions.ts';
export { toInFileMail } from './mails.ts';
export { bookTransfer } from './transfer-requests.ts';
export { verifyLedger } from './verify.ts';
export { forfeitBalance, lockBalance, recordReward, toArtistAccount } from './postings.ts';
