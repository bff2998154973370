import * as v from 'valibot';
import { toDonationUrl } from '../../contract/accounts/donation.ts';
import {
  DONATION_URL_PROBLEM,
  PROFILE_FIELDS,
  type ProfileField,
} from '../../contract/accounts/profile-fields.ts';

/** A typed text as it would be saved, and its errors. */
export interface CheckedField {
  readonly value: string;
  readonly problem: string | null;
}

/** The same rules as the host's (spec §5). `donationHost` is the one of the settings. */
export function checkField(field: ProfileField, text: string, donationHost: string): CheckedField {
  const result = v.safeParse(PROFILE_FIELDS[field], text);
  if (!result.success) return { value: text, problem: result.issues[0].message };
  const value = result.output;
  if (field !== 'donation_url' || value === '') return { value, problem: null };
  const url = toDonationUrl(value, donationHost);
  return url === null ? { value, problem: DONATION_URL_PROBLEM } : { value: url, problem: null };
}
