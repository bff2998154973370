import { computed } from 'nanostores';
import { ApiError } from '../../../contract/calls/errors.ts';
import {
  type ProfileChange,
  type Profile,
  getProfile,
  updateProfile,
} from '../../../contract/accounts/profile.ts';
import type { ProfileField } from '../../../contract/accounts/profile-fields.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { checkField } from '../../lib/profile-fields.ts';
import { MESSAGE_EMAIL_WAITS } from './email-change.ts';
import { $profile, changeProfile, reloadProfile } from './query.ts';
import { showAlert, showToast } from '../overlays/overlays.ts';
import { memberMap, memberSignal } from '../shared/member-atom.ts';
import { firstOfEach, presentError } from '../shared/request-errors.ts';
import { createVersioned } from '../shared/versioned.ts';

/** State of a field of the member's profile. Fields not listed are read-only. */
export type FieldState =
  | {
      readonly state: 'editing';
      readonly text: string;
      /** The host's error for this exact text. */
      readonly refusal: string | null;
      /** The value as it was read. */
      readonly versioned: ReturnType<typeof createFieldVersion>;
      /** Why it is not saved, if the value has changed since it was read; the profile has the new value. */
      readonly conflict: string | null;
    }
  | { readonly state: 'saving'; readonly text: string }
  /** Saved just now. */
  | { readonly state: 'saved' };

/** Spec §2: the saved mark is shown for about 1.2 s. */
const SAVED_MS = 1_200;
const EMAIL_WAITS = '確認のメールを送りました。リンクを開くまで、メールアドレスは変わりません。';
/** Spec §8: these two report failures by an alert, the others by toasts. */
const ALERTING: ReadonlySet<ProfileField> = new Set(['message_email', 'donation_url']);

export const $fields = memberMap<Partial<Record<ProfileField, FieldState>>>({});

/** Whether there are unsaved changes. */
export const $hasUnsaved = computed([$fields, $profile], (fields, { data }) =>
  Object.entries(fields).some(
    ([field, state]) =>
      state?.state === 'saving' ||
      (state?.state === 'editing' && state.text !== readField(data, field as ProfileField)),
  ),
);

export function readField(profile: Profile | undefined, field: ProfileField): string {
  return profile?.[field] ?? '';
}

export function openField(field: ProfileField): void {
  if ($fields.get()[field]?.state === 'saving') return;
  const text = readField($profile.get().data, field);
  const versioned = createFieldVersion(field, text);
  $fields.setKey(field, { state: 'editing', text, refusal: null, versioned, conflict: null });
}

/** Only extended hosts compare what was read. */
function createFieldVersion(field: ProfileField, opened: string) {
  return createVersioned(isExtended() ? opened : null, async () => {
    const profile = await callApi(getProfile, { signal: memberSignal() });
    changeProfile({ [field]: profile[field] });
    const value = readField(profile, field);
    return { version: value, values: value };
  });
}

export function typeField(field: ProfileField, text: string): void {
  const current = $fields.get()[field];
  if (current?.state === 'editing') $fields.setKey(field, { ...current, text, refusal: null });
}

/** Shows the saved value and drops unsaved text. */
export function closeField(field: ProfileField): void {
  if ($fields.get()[field]?.state === 'editing') $fields.setKey(field, undefined);
}

/** Saves one field alone; a refused text stays as typed. Never throws: reports as spec §8 says. */
export async function saveField(field: ProfileField, donationHost: string): Promise<void> {
  const current = $fields.get()[field];
  if (current?.state !== 'editing') return;
  const { text, versioned } = current;
  const { value, problem } = checkField(field, text, donationHost);
  if (problem !== null || value === readField($profile.get().data, field)) return;
  $fields.setKey(field, { state: 'saving', text });
  let waiting: string | undefined;
  try {
    const reply = await versioned.send((read) => {
      const change = { [field]: value, ...(read !== null && { read: { [field]: read } }) };
      return callApi(updateProfile, { body: change as ProfileChange });
    });
    waiting = reply?.pending_message_email;
  } catch (error) {
    if (!isSaving(field)) return;
    const refusal = versioned.isConflict(error) ? null : showFailure(field, error);
    const conflict = versioned.$conflict.get()?.problem ?? null;
    $fields.setKey(field, { state: 'editing', text, refusal, versioned, conflict });
    return;
  }
  if (!isSaving(field)) return;
  // Nothing has been updated yet, so neither the toast of spec §8 nor the mark would be true.
  if (field === 'email' && isExtended()) return showWaiting(field, { pending_email: value }, EMAIL_WAITS);
  // Only a host that confirms such addresses reports a pending one.
  if (field === 'message_email' && waiting === value)
    return showWaiting(field, { pending_message_email: value }, MESSAGE_EMAIL_WAITS);
  changeProfile({ [field]: value });
  reloadProfile();
  showToast('success', 'Profile updated successfully');
  $fields.setKey(field, { state: 'saved' });
  setTimeout(() => {
    if ($fields.get()[field]?.state === 'saved') $fields.setKey(field, undefined);
  }, SAVED_MS);
}

/** After a conflict: replaces the saved value. */
export async function keepTypedField(field: ProfileField, donationHost: string): Promise<void> {
  const current = $fields.get()[field];
  if (current?.state !== 'editing') return;
  current.versioned.accept();
  $fields.setKey(field, { ...current, conflict: null });
  await saveField(field, donationHost);
}

/** Shows an address that its owner has to confirm first. */
function showWaiting(field: ProfileField, change: Partial<Profile>, notice: string): void {
  changeProfile(change);
  reloadProfile();
  showToast('blank', notice);
  $fields.setKey(field, undefined);
}

/** A log-out meanwhile must leave nothing to the next member. */
function isSaving(field: ProfileField): boolean {
  return $fields.get()[field]?.state === 'saving';
}

/** Returns the host's error for this field. */
function showFailure(field: ProfileField, error: unknown): string | null {
  const isAlerting = ALERTING.has(field);
  const { fields } = presentError(error, { toasts: isAlerting ? 'none' : 'keyed', isField: () => true });
  const isCancelled = error instanceof ApiError && error.kind === 'cancelled';
  if (isAlerting && !isCancelled) showAlert(fields[0]?.message ?? '保存に失敗しました');
  return firstOfEach(fields)[field] ?? null;
}
