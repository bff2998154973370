export { announceAccount, cancelDeletion, requestDeletionAsStaff } from './deletion.ts';
export { DeletionBlocked } from './deletion-blocked.ts';
export { hasRequestedDeletion } from './deletion-queries.ts';
