export { announceAccount, cancelDeletion, cancelOwnDeletion, requestDeletionAsStaff } from './deletion.ts';
export { DeletionBlocked } from './deletion-blocked.ts';
export { findDeletionRequest } from './deletion-queries.ts';
