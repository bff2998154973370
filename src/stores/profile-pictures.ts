import { updateProfileBackground, updateProfilePicture, verifyPersonalInfo } from '../../contract/profile.ts';
import { ID_PRECONDITIONS } from '../../contract/profile-fields.ts';
import { showAlert } from './alerts.ts';
import { createPictureUpload } from './picture-upload.ts';
import { $profile, reloadProfile } from './profile.ts';
import { onMemberGone } from './session.ts';
import { showToast } from './toasts.ts';

/** The pictures that a member sends from their profile (spec §7). */

export const profilePicture = createPictureUpload({
  endpoint: updateProfilePicture,
  part: 'profile_picture',
  onTaken: tellUpdate,
});

export const profileBackground = createPictureUpload({
  endpoint: updateProfileBackground,
  part: 'profile_background',
  onTaken: tellUpdate,
});

export const personalId = createPictureUpload({
  endpoint: verifyPersonalInfo,
  part: 'personal_id_image',
  onTaken() {
    showToast('success', 'Verification Request Submitted');
    reloadProfile();
  },
});

// What one member chose is nothing to the next.
onMemberGone(() => {
  for (const upload of [profilePicture, profileBackground, personalId]) upload.clear();
});

function tellUpdate(): void {
  showToast('success', 'Profile updated successfully');
  reloadProfile();
}

/** Whether an ID may be sent now; says by an alert what has to come first (spec §5). */
export function canSendId(): boolean {
  const { data } = $profile.get();
  if (data && ID_PRECONDITIONS.every((field) => data[field] !== '')) return true;
  showAlert(
    '先に、振込先（金融機関名、支店名、預金種別、口座番号）、氏名、電話番号、メールアドレスを更新してください。本人確認書類は、最後にアップロードしてください。',
  );
  return false;
}
