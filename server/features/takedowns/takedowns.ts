export {
  LISTED_MAX,
  findSoundForStaff,
  releaseSounds,
  selectSoundsForStaff,
  withholdSounds,
} from './queries.ts';
export type { ModeratedSound } from './queries.ts';
export {
  deleteSoundAsStaff,
  hideSound,
  markHidden,
  markUnhidden,
  moderateSound,
  unhideSound,
} from './sounds.ts';
export type { TakedownDeps } from './sounds.ts';
export { suspendMember, unsuspendMember } from './suspensions.ts';
