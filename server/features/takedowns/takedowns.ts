export { LISTED_MAX, findSoundForStaff, selectSoundsForStaff } from './queries.ts';
export type { JudgedSound } from './queries.ts';
export { deleteSoundAsStaff, hideSound, unhideSound } from './sounds.ts';
export { suspendMember, unsuspendMember } from './suspensions.ts';
