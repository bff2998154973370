export {
  deleteAddressChange,
  findAddressChanges,
  replaceAddressChange,
  takeAddressChange,
} from './address-change-queries.ts';
export { findDeviceId, readDevice, setDeviceCookie } from './devices.ts';
export { deleteExpired } from './expiry.ts';
export {
  deleteFormerUsername,
  deleteFreeUsernames,
  deleteOldestUsernames,
  isFormerName,
  saveFormerUsername,
} from './former-usernames.ts';
export type { ComparedName } from './former-usernames.ts';
export {
  CODE_FAILURES,
  CODE_WARNINGS,
  CONFIRMATIONS,
  KNOWN_DEVICE_FAILURES,
  REGISTRATION_MAILS,
} from './limits.ts';
export { toUndoneMail } from './mails.ts';
export type { Owner } from './mails.ts';
export { memberRefused } from './member-refused.ts';
export {
  countSounds,
  endSessionsAsStaff,
  findMember,
  findMemberByEmail,
  hasStaff,
  setBlocked,
  setStaff,
} from './members.ts';
export type { Member } from './members.ts';
export { RESET_LINK_MS } from './password-reset.ts';
export {
  deleteSessionsOf,
  deleteUnusedPasswordResets,
  findAccount,
  findAccountByEmail,
  insertPasswordReset,
  listSessions,
} from './queries.ts';
export { mayOpenConsole } from './console-cookie.ts';
export { reauthenticate, requireRecentLogIn, requireStaffLogIn } from './recent-login.ts';
export {
  describeSecondFactor,
  giveSecondFactor,
  listUnopenableSecondFactors,
  resetSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
  toCodeStep,
} from './second-factor.ts';
export { endRegistrations, isNameReserved } from './registration-queries.ts';
export { SESSION_AGE_MAX_MS, identify, requireSession } from './sessions.ts';
export { hashToken, makeToken } from './tokens.ts';
export {
  addUndoLink,
  deleteUndoLink,
  deleteUndoLinks,
  findSoundsLink,
  getUndoLink,
  readUndo,
  wrongUndoLink,
} from './undo-links.ts';
export type { ChangeContext, PreviousValues } from './undo-links.ts';
export { describeDevice } from './user-agents.ts';
export { createUser, toEmailKey, toMailboxKey } from './users.ts';
