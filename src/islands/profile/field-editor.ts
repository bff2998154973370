import { type RefObject, createContext, useContext, useEffect, useRef } from 'react';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { type ProfileField, findLock } from '../../../contract/accounts/profile-fields.ts';
import { checkField } from '../../lib/profile-fields.ts';
import { $fields, $profile, keepTypedField, readField, saveField } from '../../stores/profile/profile.ts';
import { useStore } from '../ui/use-store.ts';

/** The host name of donation links, from the site's settings (spec §5). */
export const DonationHost = createContext('');

export type FieldEditing = ReturnType<typeof useFieldEditing>;

/** The editing state of one field of the profile. */
export function useFieldEditing(field: ProfileField) {
  const donationHost = useContext(DonationHost);
  const editor = useStore($fields)[field];
  const { data: profile } = useStore($profile);
  const state = editor?.state ?? 'closed';
  const isOpen = state === 'editing' || state === 'saving';
  const text = editor && 'text' in editor ? editor.text : '';
  const saved = readField(profile, field);
  /** `problem`: what is wrong with the text by the client's rules. */
  const { value, problem } = checkField(field, text, donationHost);
  const isChanged = isOpen && value !== saved;
  return {
    state,
    isOpen,
    text,
    /** undefined until the profile is loaded. */
    saved: profile && saved,
    problem,
    /** The host's error for this exact text. */
    refusal: editor?.state === 'editing' ? editor.refusal : null,
    canSave: state === 'editing' && isChanged && problem === null,
    isChanged,
    isLocked: findLock(field, readIdentityCheck(profile), saved) !== null,
    save: () => void saveField(field, donationHost),
    /** Set if another change was saved first. */
    conflict: editor?.state === 'editing' ? editor.conflict : null,
    keep: () => void keepTypedField(field, donationHost),
  };
}

/** The facts of the identity check that lock fields. */
export function readIdentityCheck(profile: Profile | undefined) {
  return {
    isVerified: profile?.is_personal_info_verified ?? false,
    // Only our own host sends this date; other hosts may accept changes during the review.
    isUnderReview: profile?.personal_info_status === 'pending' && !!profile.personal_info_submitted_at,
  };
}

/** Closing an editor returns focus to the button that opened it. */
export function useFocusBack(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return button;
}
