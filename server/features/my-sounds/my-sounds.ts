export { listCopies } from './copies.ts';
export { removeSound } from './deletion.ts';
export { openUploadFiles } from './uploads/files.ts';
