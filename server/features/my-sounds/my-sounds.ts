export { listCopies } from './copies.ts';
export { deleteSoundsOf, removeSound } from './deletion.ts';
export { openUploadFiles } from './uploads/files.ts';
export { readStoredSound } from './waveforms.ts';
