import { describeUndo, undoChange } from '../../../contract/accounts.ts';
import {
  BackgroundChangedSchema,
  PictureChangedSchema,
  ProfileSchema,
  confirmEmail,
  confirmMessageEmail,
  getProfile,
  updateProfile,
  updateProfileBackground,
  updateProfilePicture,
} from '../../../contract/profile.ts';
import { byAddress, byMember, declare, inService, silently } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { CONFIRMATIONS, REGISTRATION_MAILS } from '../accounts/accounts.ts';
import { EMAIL_CHANGES, GUARDED_CHANGES, PROFILE_CHANGES, PROFILE_READS, RENAMES } from './limits.ts';
import type { ProfileOptions } from './options.ts';
import { PICTURES, servePictures } from './picture-routes.ts';
import { serveProfile } from './routes.ts';

/** What members see and change of their own profile. */
export function createProfileModule(options: ProfileOptions): Module {
  return {
    name: 'profile',
    access: [
      declare(getProfile, 'member', 'own', byMember(PROFILE_READS)),
      declare(
        { ...updateProfile, reply: ProfileSchema },
        'member',
        'own',
        byMember(PROFILE_CHANGES),
        inService('member', RENAMES),
        inService('member', EMAIL_CHANGES),
        inService('member', GUARDED_CHANGES),
        silently(REGISTRATION_MAILS),
      ),
      declare(confirmEmail, 'member', 'own', byAddress(CONFIRMATIONS)),
      declare(confirmMessageEmail, 'member', 'own', byAddress(CONFIRMATIONS)),
      declare(describeUndo, 'anyone', 'secret', byAddress(CONFIRMATIONS)),
      declare(undoChange, 'anyone', 'secret', byAddress(CONFIRMATIONS)),
      declare(
        { ...updateProfilePicture, reply: PictureChangedSchema },
        'member not blocked',
        'own',
        byMember(PICTURES),
      ),
      declare(
        { ...updateProfileBackground, reply: BackgroundChangedSchema },
        'member not blocked',
        'own',
        byMember(PICTURES),
      ),
    ],
    serve(api) {
      serveProfile(api, options);
      servePictures(api);
    },
  };
}
