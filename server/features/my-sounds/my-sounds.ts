export { listCopies } from './copies.ts';
export { removeSound } from './deletion.ts';
export { openUploadFiles } from './uploads/files.ts';
export { readStoredSound } from './waveforms.ts';
