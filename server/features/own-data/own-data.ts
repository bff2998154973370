export { announceAccount, cancelDeletion, cancelOwnDeletion, requestDeletionAsStaff } from './deletion.ts';
export { findDeletionRequest } from './deletion-queries.ts';
