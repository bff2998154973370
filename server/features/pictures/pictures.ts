export { orRefusePicture } from './problems.ts';
export { forgetRetired, replacePictureKey, retirePicture } from './queries.ts';
export type { PictureColumn } from './queries.ts';
