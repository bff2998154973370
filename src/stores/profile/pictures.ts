import {
  updateProfileBackground,
  updateProfilePicture,
  verifyPersonalInfo,
} from '../../../contract/accounts/profile.ts';
import {
  type PayoutField,
  listMissing,
  toPersonalInfoPrecondition,
} from '../../../contract/accounts/profile-fields.ts';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { showAlert, showToast } from '../overlays/overlays.ts';
import { createPictureUpload } from './picture-upload.ts';
import { $profile, reloadProfile } from './query.ts';
import { presentError } from '../shared/request-errors.ts';

/** The pictures that a member sends from their profile (spec §7). */

export const profilePicture = createPictureUpload({
  endpoint: updateProfilePicture,
  part: 'profile_picture',
  onTaken: announceUpdate,
  onFailed: showFailure,
});

export const profileBackground = createPictureUpload({
  endpoint: updateProfileBackground,
  part: 'profile_background',
  onTaken: announceUpdate,
  onFailed: showFailure,
});

export const personalId = createPictureUpload({
  endpoint: verifyPersonalInfo,
  part: 'personal_id_image',
  onTaken() {
    showToast('success', 'Verification Request Submitted');
    reloadProfile();
  },
});

function announceUpdate(): void {
  showToast('success', 'Profile updated successfully');
  reloadProfile();
}

/** What must be filled in before an ID is sent (spec §5). */
export function listMissingForId(profile: Profile): PayoutField[] {
  return listMissing(profile, { needsFurigana: isExtended() });
}

/** Spec §8, profile update failure. */
function showFailure(error: unknown): void {
  presentError(error, { toasts: 'keyed' });
}

/** Whether an ID may be sent now; an alert names what is missing (spec §5). */
export function canSendId(): boolean {
  const { data } = $profile.get();
  if (!data) return false;
  const missing = listMissingForId(data);
  if (missing.length > 0) showAlert(toPersonalInfoPrecondition(missing));
  return missing.length === 0;
}
