export { $deletion, openDeletion, closeDeletion, confirmDeletion, leaveDeletion } from './deletion.ts';
export { SOUND_ROWS, checkRow, toSoundDraft } from './draft.ts';
export type { SoundDraft, SoundRow } from './draft.ts';
export {
  $editing,
  $hasUnsavedSound,
  canSave,
  chooseThumbnail,
  closeEditor,
  findBlock,
  findProblem,
  leaveEditor,
  listUnsaved,
  openEditor,
  saveSound,
  keepTypedSound,
  saveSoundField,
  takeSavedSound,
  toggleChoice,
  typeRow,
} from './editor.ts';
export type { SoundEditing, SoundField } from './editor.ts';
export { $measuring, followMeasuring } from './findings.ts';
export { followNewSounds } from './following.ts';
export {
  $genres,
  $addableUses,
  $soundTypes,
  $tab,
  ALL_TAB,
  FAVORITES_TAB,
  isOwnSound,
  mySounds,
  refreshSounds,
  showTab,
} from './list.ts';
export { $history, canUndoEntry, forgetHistory, readHistory, undoEntry } from './history.ts';
export { canPlayFile } from './playable.ts';
export { sendSoundChange, sendSoundValues } from './save.ts';
export type { SoundValues } from './save.ts';
export { createSpeedometer } from './speed.ts';
