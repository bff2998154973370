/** What another host stores of a member's profile: only the fields of spec §3. */
export interface ForeignProfile {
  readonly id: number;
  username: string;
  email: string;
  fields: Record<string, string>;
  picture: string | null;
  background: string | null;
}

const EDITABLE = [
  'name',
  'furigana',
  'bio',
  'message_email',
  'donation_url',
  'bank_name',
  'branch_name',
  'deposit_type',
  'account_number',
  'phone_number',
] as const;

/** The format of a Django host: texts that may be null, figures as text, `-` where no month is chosen. */
export function toForeignProfile(profile: ForeignProfile, { searchParams }: URL) {
  const hasMonth = searchParams.has('month') && searchParams.has('year');
  return {
    id: profile.id,
    username: profile.username,
    email: profile.email,
    ...Object.fromEntries(EDITABLE.map((field) => [field, profile.fields[field] ?? null])),
    profile_picture: profile.picture,
    profile_background: profile.background,
    personal_info_status: profile.fields['personal_info_status'] ?? '',
    is_personal_info_verified: false,
    is_verified: profile.email.startsWith('verified'),
    is_blocked: false,
    status: profile.fields['status'] ?? null,
    reward_balance: '4560',
    total_download_balance: 7890,
    month_reward_balance: hasMonth ? 1234 : '-',
    month_total_download_balance: hasMonth ? 567 : '-',
  };
}

/** The errors of a change, by field; empty when it succeeded. */
export function changeForeignProfile(
  profile: ForeignProfile,
  change: Record<string, string>,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const [key, value] of Object.entries(change)) {
    if (key === 'username' && value === 'taken') errors[key] = ['A user with that username already exists.'];
    else if (key === 'username' || key === 'email') profile[key] = value;
    else if ((EDITABLE as readonly string[]).includes(key)) profile.fields[key] = value;
    else errors[key] = ['Unexpected field.'];
  }
  return errors;
}
