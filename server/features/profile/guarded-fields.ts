import { ACCOUNT_NUMBER_SHOWN, PHONE_NUMBER_SHOWN, maskAllButLast } from '../../../contract/values/masks.ts';
import type { ProfileChange } from '../../../contract/accounts/profile.ts';
import { PROFILE_LABELS, PROFILE_NAMES } from '../../../contract/accounts/profile-fields.ts';
import type { ProfileField } from '../../../contract/accounts/profile-fields.ts';
import { maskEmail } from '../mail/log-fields.ts';

/** Fields that any session may change, without a mail to the owner. */
const UNGUARDED_FIELDS = ['name_reading', 'bio'] as const satisfies readonly ProfileField[];

/**
 * Fields that require a recent log-in and whose changes are mailed to the owner: an artist's name, payee details,
 * identity, and where visitors' messages and donations go. A new field is one of them unless it is listed above.
 */
export type GuardedField = Exclude<ProfileField, (typeof UNGUARDED_FIELDS)[number]>;
const GUARDED_FIELDS = PROFILE_NAMES.filter(
  (field): field is GuardedField => !(UNGUARDED_FIELDS as readonly ProfileField[]).includes(field),
);

/** Fields that visitors see, which a blocked member cannot change; with those that sounds are found by. */
export const PUBLIC_FIELDS = ['bio', 'message_email', 'donation_url'] as const;
export const PUBLIC_NAMES = ['username', 'name_reading', ...PUBLIC_FIELDS] as const;

/** The addresses that are not confirmed yet, by purpose. */
interface WaitingAddresses {
  readonly account?: string;
  readonly message?: string;
}

/** The guarded fields that a change would make different from the current profile or from pending addresses. */
export function listGuarded(
  wanted: ProfileChange,
  present: Readonly<Record<GuardedField, string>>,
  waiting: WaitingAddresses,
): GuardedField[] {
  const pending: Partial<Record<GuardedField, string | undefined>> = {
    email: waiting.account,
    message_email: waiting.message,
  };
  return GUARDED_FIELDS.filter(
    (field) =>
      wanted[field] !== undefined && wanted[field] !== present[field] && wanted[field] !== pending[field],
  );
}

/**
 * Whether a change cancels a pending address by giving the current one. This also requires the password, or a stolen
 * session could stop its owner's change. No mail is sent, since nothing changes.
 */
export function cancelsAddressChange(
  wanted: ProfileChange,
  present: Readonly<Record<GuardedField, string>>,
  waiting: WaitingAddresses,
): boolean {
  return (
    (waiting.account !== undefined && wanted.email === present.email) ||
    (waiting.message !== undefined && wanted.message_email === present.message_email)
  );
}

/** A changed field as a mail names it: with its new value, masked, if the end is enough to recognise it. */
export function describeChange(field: GuardedField, value: string): string {
  const text = value === '' ? '空' : toVisibleValue(field, value);
  return text === null ? PROFILE_LABELS[field] : `${PROFILE_LABELS[field]}（${text}）`;
}

function toVisibleValue(field: GuardedField, value: string): string | null {
  if (field === 'account_number') return maskAllButLast(value, ACCOUNT_NUMBER_SHOWN);
  if (field === 'phone_number') return maskAllButLast(value, PHONE_NUMBER_SHOWN);
  if (field === 'username') return value;
  return field === 'message_email' ? maskEmail(value) : null;
}
