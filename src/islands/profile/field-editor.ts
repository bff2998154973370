import { type RefObject, useEffect, useRef } from 'react';
import type { ProfileField } from '../../../contract/profile-fields.ts';
import { checkField } from '../../lib/profile-fields.ts';
import { useShared } from '../../lib/use-shared.ts';
import { $fields, $profile, readField } from '../../stores/profile/profile.ts';
import type { FieldState } from '../../stores/profile/profile.ts';

export interface FieldEditing {
  readonly state: FieldState['state'] | 'closed';
  readonly isOpen: boolean;
  readonly text: string;
  /** What is wrong with the text by the client's rules. */
  readonly problem: string | null;
  /** The host's error for this exact text. */
  readonly refusal: string | null;
  readonly canSave: boolean;
  readonly isChanged: boolean;
}

const NO_FIELDS: Partial<Record<ProfileField, FieldState>> = {};

/** The editing state of one field of the profile. */
export function useFieldEditing(field: ProfileField, donationHost: string): FieldEditing {
  const known = useShared($fields, NO_FIELDS)[field];
  const { data } = useShared($profile, { loading: true });
  const state = known?.state ?? 'closed';
  const isOpen = state === 'editing' || state === 'saving';
  const text = known && 'text' in known ? known.text : '';
  const { value, problem } = checkField(field, text, donationHost);
  const isChanged = isOpen && value !== readField(data, field);
  const refusal = known?.state === 'editing' ? known.refusal : null;
  const canSave = state === 'editing' && isChanged && problem === null;
  return { state, isOpen, text, problem, refusal, canSave, isChanged };
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
