export { findReferenced } from './in-use.ts';
export { listFileRows, readFilesAgain } from './rows.ts';
export type { OwnedFile } from './rows.ts';
