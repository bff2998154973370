export { orRefusePicture } from './problems.ts';
export { deleteRetiredPictureRow, replacePictureKey, retirePicture } from './queries.ts';
export type { PictureColumn } from './queries.ts';
