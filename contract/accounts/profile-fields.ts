import * as v from 'valibot';
import { digits } from '../values/digits.ts';
import { EMAIL_PROBLEM, EmailSchema, isEmail, normaliseEmail } from '../values/emails.ts';
import { requiredUsername } from './accounts.ts';
import { lineField, textField } from '../values/texts.ts';
import { PAYEE_LENGTH_MAX, toUsualForms, toZenginText } from '../payouts/zengin-text.ts';

/**
 * The profile fields that the owner edits (spec §7, update-profile) and their valid values. All except username and
 * e-mail may be empty.
 */

/** What each field is called, in the order of lists. */
export const PROFILE_LABELS = {
  username: 'ユーザー名',
  name_reading: '名前の読み',
  bio: '自己紹介',
  name: '氏名',
  furigana: 'ふりがな',
  email: 'メールアドレス',
  phone_number: '電話番号',
  bank_name: '金融機関名',
  branch_name: '支店名',
  deposit_type: '預金種別',
  account_number: '口座番号',
  message_email: 'メッセージの宛先',
  donation_url: '支援のリンク',
} as const;
export type ProfileField = keyof typeof PROFILE_LABELS;
export const PROFILE_NAMES = Object.keys(PROFILE_LABELS) as ProfileField[];

/** Fields that the specification does not name: other hosts do not send them. */
export const ADDED_FIELDS = ['name_reading'] as const satisfies readonly ProfileField[];

export const BIO_LENGTH_MAX = 2_000;
export const DEPOSIT_TYPES = ['普通', '当座', '貯蓄'] as const;
export const DONATION_URL_PROBLEM = 'URLの形式が正しくありません。';
/** Spec §4: fields that cannot be edited once personal info is verified. */
export const LOCKED_FIELDS = ['bank_name', 'branch_name', 'deposit_type', 'account_number'] as const;
export const LOCKED_PROBLEM = '本人確認が済んでいるため、変更できません。';
/** Fields that staff compare with an ID during a review: the locked ones and the name. */
export const REVIEWED_FIELDS = [...LOCKED_FIELDS, 'name', 'furigana'] as const;
export const REVIEWED_PROBLEM = '本人確認の審査中は変更できません。';

const line = (field: ProfileField) => {
  const label = PROFILE_LABELS[field];
  return lineField(label, 60, `${label}を文字列で指定してください。`);
};

/** Compatibility forms as usual ones, but spaces as they were typed. */
const toUsualText = (text: string) => text.replace(/[^\u3000]+/g, toUsualForms);

/** Half-width kana as usual ones, with the marks that passbooks and phones write beside them. */
const toUsualKana = (text: string) =>
  toUsualText(text).replace(/(?<=[\p{sc=Hiragana}\p{sc=Katakana}ー])[‐−―-]/gu, 'ー');

const reading = (field: ProfileField) =>
  v.pipe(
    line(field),
    v.transform(toUsualKana),
    v.regex(
      /^[\p{sc=Hiragana}\p{sc=Katakana}ー・ 　]*$/u,
      `${PROFILE_LABELS[field]}は、ひらがなかカタカナで入力してください。`,
    ),
  );

/** The name of the account as a bank has it: mostly kana; what the file for the bank cannot write is refused. */
const payeeName = (field: ProfileField) =>
  v.pipe(
    line(field),
    v.transform(toUsualText),
    v.check(
      (text) => text === '' || /[ｱ-ﾝ]/.test(toZenginText(text) ?? ''),
      `${PROFILE_LABELS[field]}は、口座の名義のとおりに、ひらがなかカタカナで入力してください。英数字と「(」「)」「-」「.」も使えます。`,
    ),
    v.check(
      (text) => (toZenginText(text) ?? '').length <= PAYEE_LENGTH_MAX,
      `${PROFILE_LABELS[field]}は、濁点も1文字に数えて、半角${PAYEE_LENGTH_MAX}文字以内で入力してください。`,
    ),
  );

export const PROFILE_FIELDS = {
  username: requiredUsername('ユーザー名を入力してください。'),
  /** How the username is read, so that it is found in kana. */
  name_reading: reading('name_reading'),
  bio: textField(PROFILE_LABELS.bio, BIO_LENGTH_MAX, '自己紹介を文字列で指定してください。'),
  name: line('name'),
  furigana: payeeName('furigana'),
  email: EmailSchema,
  bank_name: line('bank_name'),
  branch_name: line('branch_name'),
  deposit_type: v.pipe(
    v.string('預金種別を選んでください。'),
    v.picklist(['', ...DEPOSIT_TYPES], '預金種別を選んでください。'),
  ),
  account_number: digits(/^(?:\d{4,8})?$/, '口座番号は4桁から8桁の数字で入力してください。'),
  phone_number: digits(
    /^(?:\+?\d(?:-?\d){8,13})?$/,
    '電話番号は9桁から14桁の数字で、ハイフンはあってもなくてもかまいません。',
  ),
  message_email: v.pipe(
    v.string(EMAIL_PROBLEM),
    v.transform(normaliseEmail),
    v.check((value) => value === '' || isEmail(value), EMAIL_PROBLEM),
  ),
  /** Checks the form only. `toDonationUrl` checks the host against the one in the settings. */
  donation_url: v.pipe(
    v.string(DONATION_URL_PROBLEM),
    v.trim(),
    v.maxLength(300, DONATION_URL_PROBLEM),
    v.regex(/^[^\p{Z}\p{Cc}]*$/u, DONATION_URL_PROBLEM),
  ),
} as const satisfies Readonly<Record<ProfileField, unknown>>;

/** The state of the check of a member's personal info. */
export interface PersonalInfoCheck {
  readonly isVerified: boolean;
  readonly isUnderReview: boolean;
}

/**
 * Why a field cannot be edited now; null when it can. `present` is its current value; an empty field can always be
 * filled in.
 */
export function findLock(
  field: ProfileField,
  { isVerified, isUnderReview }: PersonalInfoCheck,
  present: string,
): string | null {
  if (present.trim() === '') return null;
  const isOneOf = (fields: readonly ProfileField[]) => fields.includes(field);
  if (isVerified) return isOneOf(LOCKED_FIELDS) ? LOCKED_PROBLEM : null;
  return isUnderReview && isOneOf(REVIEWED_FIELDS) ? REVIEWED_PROBLEM : null;
}

/** The fields that a payout requires, in the order of the alert of spec §5. */
export const PAYOUT_FIELDS = [
  'bank_name',
  'branch_name',
  'deposit_type',
  'account_number',
  'name',
  'furigana',
  'phone_number',
  'email',
] as const satisfies readonly ProfileField[];
export type PayoutField = (typeof PAYOUT_FIELDS)[number];

/**
 * Required fields that are empty, for sending an ID or requesting a payout. Spec §5 lists the fields and its alert also
 * the name; furigana is only required by an extended host.
 */
export function listMissing(
  profile: Readonly<Record<PayoutField, string>>,
  { needsFurigana }: { readonly needsFurigana: boolean },
): PayoutField[] {
  return PAYOUT_FIELDS.filter(
    (field) => profile[field].trim() === '' && (field !== 'furigana' || needsFurigana),
  );
}

/** The labels of fields as a list: `氏名、ふりがな`. */
export function toLabels(fields: readonly PayoutField[]): string {
  return fields.map((field) => PROFILE_LABELS[field]).join('、');
}

/** The message of spec §5 for a member who sends an ID too early; `missing` must not be empty. */
export function toPersonalInfoPrecondition(missing: readonly PayoutField[]): string {
  return `先に、振込先（金融機関名、支店名、預金種別、口座番号）、氏名、電話番号、メールアドレスを更新してください。本人確認書類は、最後にアップロードしてください。\n未入力の項目：${toLabels(missing)}`;
}
