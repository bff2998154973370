export { EMAIL_CHANGES, GUARDED_CHANGES, PROFILE_CHANGES, PROFILE_READS, RENAMES } from './limits.ts';
export { PICTURES, servePictures } from './picture-routes.ts';
export { serveProfile } from './routes.ts';
