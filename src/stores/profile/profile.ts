export {
  $fields,
  $hasUnsaved,
  closeField,
  keepTypedField,
  openField,
  readField,
  saveField,
  typeField,
} from './editor.ts';
export {
  $emailLinkProblems,
  cancelEmailChange,
  cancelMessageEmail,
  followEmailLinks,
  resendMessageEmail,
} from './email-change.ts';
export { followProfile } from './following.ts';
export { createPictureUpload } from './picture-upload.ts';
export type { PictureUploadStore } from './picture-upload.ts';
export { canSendId, listMissingForId, personalId, profileBackground, profilePicture } from './pictures.ts';
export { $profile, changeProfile, reloadProfile } from './query.ts';
export { $section, followSections } from './sections.ts';
export type { Section } from './sections.ts';
