import {
  describeUndo,
  logIn,
  logOut,
  reauthenticate,
  refreshAccess,
  register,
  requestPasswordReset,
  resetPassword,
  undoChange,
  verifyEmail,
} from '../contract/accounts.ts';
import { getArtist, listArtists } from '../contract/artists.ts';
import { sendContact } from '../contract/contact.ts';
import { DownloadQuerySchema } from '../contract/download-queries.ts';
import { beginDownload, downloadSound, reportWatching } from '../contract/downloads.ts';
import { listTransfers, requestTransfer } from '../contract/finance.ts';
import { listGenres, listSoundTypes } from '../contract/genres.ts';
import { sendMessage } from '../contract/messages.ts';
import { deleteSound, updateSound, uploadSound } from '../contract/own-sounds.ts';
import {
  confirmEmail,
  confirmMessageEmail,
  getProfile,
  updateProfile,
  updateProfileBackground,
  updateProfilePicture,
  verifyPersonalInfo,
} from '../contract/profile.ts';
import { applyForQualityCheck } from '../contract/quality-check.ts';
import { RESUMABLE_UPLOADS_PATH as UPLOADS_PATH } from '../contract/resumable-uploads.ts';
import { getPage, getSiteConfig, listPages } from '../contract/site.ts';
import { SoundQuerySchema } from '../contract/sound-queries.ts';
import { getSound, listSounds, toggleFavorite } from '../contract/sounds.ts';
import { getStatement } from '../contract/statements.ts';
import * as account from './features/accounts/limits.ts';
import { CONTACT_CALLS, CONTACT_MESSAGES } from './features/messages/messages.ts';
import { DOWNLOAD_CALLS, WATCHING_REPORTS, toBeginLimits } from './features/downloads/downloads.ts';
import type { DownloadLimits } from './features/downloads/downloads.ts';
import { TOGGLES } from './features/catalogue/catalogue.ts';
import { STATEMENTS, TRANSFER_HISTORY, TRANSFER_REQUESTS } from './features/ledger/ledger.ts';
import * as message from './features/messages/limits.ts';
import { APPLICATIONS, SUBMISSIONS } from './features/reviews/reviews.ts';
import {
  EMAIL_CHANGES,
  GUARDED_CHANGES,
  PICTURES,
  PROFILE_CHANGES,
  PROFILE_READS,
  RENAMES,
} from './features/profile/profile.ts';
import {
  SOUND_CHANGES,
  UPLOADS,
  UPLOAD_CREATIONS,
  UPLOAD_OPTIONS,
  UPLOAD_PIECES,
} from './features/my-sounds/my-sounds.ts';
import {
  READS,
  accepted,
  byAddress,
  byMember,
  byVisitorAddress,
  declare,
  inService,
  silently,
} from './platform/http/http.ts';
import type { Access } from './platform/http/http.ts';

const UPLOAD_PATH = `${UPLOADS_PATH}{id}`;

/**
 * Every route of the API: who may call it, what of members it shows or changes, and its limits. The server
 * enforces callers and limits (http/access.ts) and does not start with a route that is missing here; tests
 * generate the authorisation matrix, the limits and the fuzzing from this list.
 */
export function listAccess(downloadLimits: DownloadLimits): readonly Access[] {
  const beginLimits = toBeginLimits(downloadLimits);
  return [
    declare(getSiteConfig, 'anyone', 'nothing', READS),
    declare(listPages, 'anyone', 'nothing', READS),
    declare(getPage, 'anyone', 'nothing', READS),
    declare(listGenres, 'anyone', 'nothing', READS),
    declare(listSoundTypes, 'anyone', 'nothing', READS),
    declare(listArtists, 'anyone', 'public', READS),
    declare(getArtist, 'anyone', 'public', READS),
    declare({ ...listSounds, query: SoundQuerySchema }, 'anyone', 'own or public', READS),
    declare(getSound, 'anyone', 'own or public', READS),

    declare(
      register,
      'anyone',
      'nothing',
      byAddress(account.REGISTRATIONS),
      silently(account.REGISTRATION_MAILS),
    ),
    declare(verifyEmail, 'anyone', 'secret', byAddress(account.CONFIRMATIONS)),
    declare(
      logIn,
      'anyone',
      'secret',
      byAddress(account.LOG_INS),
      inService('e-mail address', account.UNKNOWN_DEVICE_FAILURES),
      inService('device', account.KNOWN_DEVICE_FAILURES),
      inService('provider', account.PROVIDER_FAILURES),
      silently(account.CONFIRMATION_MAILS),
    ),
    declare(
      refreshAccess,
      'anyone',
      'secret',
      byAddress(account.REFRESHES),
      inService('session', account.SESSION_REFRESHES),
    ),
    declare(
      reauthenticate,
      'member',
      'own',
      byAddress(account.LOG_INS),
      inService('device', account.KNOWN_DEVICE_FAILURES),
    ),
    declare(logOut, 'anyone', 'secret', byAddress(account.LOG_OUTS)),
    declare(
      requestPasswordReset,
      'anyone',
      'nothing',
      byAddress(account.RESET_REQUESTS),
      silently(account.RESET_MAILS),
    ),
    declare(resetPassword, 'anyone', 'secret', byAddress(account.RESETS)),

    declare(getProfile, 'member', 'own', byMember(PROFILE_READS)),
    declare(
      updateProfile,
      'member',
      'own',
      byMember(PROFILE_CHANGES),
      inService('member', RENAMES),
      inService('member', EMAIL_CHANGES),
      inService('member', GUARDED_CHANGES),
      silently(account.REGISTRATION_MAILS),
    ),
    declare(confirmEmail, 'member', 'own', byAddress(account.CONFIRMATIONS)),
    declare(confirmMessageEmail, 'member', 'own', byAddress(account.CONFIRMATIONS)),
    declare(describeUndo, 'anyone', 'secret', byAddress(account.CONFIRMATIONS)),
    declare(undoChange, 'anyone', 'secret', byAddress(account.CONFIRMATIONS)),
    declare(updateProfilePicture, 'member not blocked', 'own', byMember(PICTURES)),
    declare(updateProfileBackground, 'member not blocked', 'own', byMember(PICTURES)),
    declare(verifyPersonalInfo, 'member', 'own', byMember(SUBMISSIONS)),
    declare(applyForQualityCheck, 'member not blocked', 'own', byMember(APPLICATIONS)),

    declare(
      sendContact,
      'anyone',
      'nothing',
      byAddress(CONTACT_CALLS),
      accepted(byAddress(CONTACT_MESSAGES)),
    ),
    declare(
      sendMessage,
      'anyone not blocked',
      'public',
      byAddress(message.MESSAGE_CALLS),
      accepted(byVisitorAddress(message.VISITOR_MESSAGES)),
      accepted(byMember(message.MEMBER_MESSAGES)),
      inService('e-mail address', message.MAILS_OF_VISITORS),
      inService('e-mail address', message.MAILS_OF_MEMBERS),
    ),

    declare(uploadSound, 'verified member', 'own', byMember(UPLOADS)),
    declare(updateSound, 'member not blocked', 'own', byMember(SOUND_CHANGES)),
    declare(deleteSound, 'member', 'own', byMember(SOUND_CHANGES)),
    declare(toggleFavorite, 'member', 'own or public', byMember(TOGGLES)),

    declare({ method: 'OPTIONS', path: UPLOADS_PATH }, 'anyone', 'nothing', byAddress(UPLOAD_OPTIONS)),
    declare({ method: 'POST', path: UPLOADS_PATH }, 'verified member', 'own', byMember(UPLOAD_CREATIONS)),
    declare({ method: 'GET', path: UPLOAD_PATH }, 'member', 'own', byMember(UPLOAD_PIECES)),
    declare({ method: 'PATCH', path: UPLOAD_PATH }, 'verified member', 'own', byMember(UPLOAD_PIECES)),
    declare({ method: 'DELETE', path: UPLOAD_PATH }, 'member', 'own', byMember(UPLOAD_PIECES)),

    declare(
      beginDownload,
      'anyone',
      'own or public',
      inService('browser', beginLimits.byVisitor),
      inService('address', beginLimits.byAddress),
    ),
    declare(
      reportWatching,
      'anyone',
      'secret',
      inService('browser', WATCHING_REPORTS.byVisitor),
      inService('address', WATCHING_REPORTS.byAddress),
    ),
    declare(
      { ...downloadSound, query: DownloadQuerySchema },
      'anyone',
      'own or public',
      byAddress(DOWNLOAD_CALLS),
    ),

    declare(requestTransfer, 'member not blocked', 'own', byMember(TRANSFER_REQUESTS)),
    declare(listTransfers, 'member', 'own', byMember(TRANSFER_HISTORY)),
    declare(getStatement, 'member', 'own', byMember(STATEMENTS)),
  ];
}
