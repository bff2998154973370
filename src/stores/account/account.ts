export { logIn, logOut, register, requestPasswordReset } from './actions.ts';
export { createDeletion } from './deletion.ts';
export { createConfirmation } from './confirmation.ts';
export type { ConfirmationStore } from './confirmation.ts';
export { createExport } from './export.ts';
export { createPasswordReset } from './password-reset.ts';
export { createProof } from './proof.ts';
export { createUndo } from './undo.ts';
export type { UndoState } from './undo.ts';
