export { LISTED_MAX, findSoundForStaff, selectSoundsForStaff } from './queries.ts';
export type { ModeratedSound } from './queries.ts';
export { deleteSoundAsStaff, hideSound, unhideSound } from './sounds.ts';
export { suspendMember, unsuspendMember } from './suspensions.ts';
