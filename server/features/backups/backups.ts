export { createBackup } from './create.ts';
export type { Site } from './create.ts';
export { requireRestored, restoreBackup } from './restore.ts';
export { verifyBackup } from './verify.ts';
