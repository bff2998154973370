import * as v from 'valibot';
import { EmailSchema, isEmail, normaliseEmail } from './emails.ts';
import { UsernameSchema } from './usernames.ts';

/**
 * The fields of a profile that its owner edits (spec §7, update-profile), and what may stand in each.
 * All but username and e-mail may be emptied.
 */

export const BIO_LENGTH_MAX = 2_000;
export const DEPOSIT_TYPES = ['普通', '当座', '貯蓄'] as const;
/** Spec §5: the message is ours, the rule is the specification's. */
export const MESSAGE_EMAIL_PROBLEM = 'メールアドレスの形式が正しくありません。';
export const DONATION_URL_PROBLEM = 'URLの形式が正しくありません。';
/** Spec §4: what can no longer be edited once personal info is verified. */
const LOCKED_FIELDS: ReadonlySet<string> = new Set([
  'bank_name',
  'branch_name',
  'deposit_type',
  'account_number',
]);
export const LOCKED_PROBLEM = '本人確認が済んでいるため、変更できません。';
/** What the office compares with an ID while it looks at it: the same, and the name. */
const REVIEWED_FIELDS: ReadonlySet<string> = new Set([...LOCKED_FIELDS, 'name', 'furigana']);
export const REVIEWED_PROBLEM = '本人確認の審査中は変更できません。';

/** A text in NFC. */
function text(label: string, lengthMax: number, clean = (value: string) => value) {
  return v.pipe(
    v.string(`${label}を文字列で指定してください。`),
    v.transform((value) => clean(value.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n'))),
    v.trim(),
    v.check(
      (value) => [...value].length <= lengthMax,
      `${label}は${lengthMax.toLocaleString('ja-JP')}文字以内で入力してください。`,
    ),
  );
}

function line(label: string, lengthMax: number) {
  return v.pipe(
    text(label, lengthMax),
    v.regex(
      /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u,
      `${label}に使えない文字が含まれています。`,
    ),
  );
}

/** Digits, with what stands between them dropped where `between` says so; half-width. */
function digits(label: string, pattern: RegExp, problem: string) {
  return v.pipe(
    v.string(`${label}を文字列で指定してください。`),
    v.maxLength(40, problem),
    v.transform((value) =>
      value
        .normalize('NFKC')
        .replace(/[‐‑–—―ー−]/g, '-')
        .trim(),
    ),
    v.regex(pattern, problem),
  );
}

export const PROFILE_FIELDS = {
  username: UsernameSchema,
  // What is pasted may bring along control characters that nobody sees and a database may refuse.
  bio: text('自己紹介', BIO_LENGTH_MAX, (value) => value.replace(/[^\P{Cc}\n\t]/gu, '')),
  name: line('氏名', 60),
  furigana: v.pipe(
    line('ふりがな', 60),
    v.regex(
      /^[\p{sc=Hiragana}\p{sc=Katakana}ー・ 　]*$/u,
      'ふりがなは、ひらがなかカタカナで入力してください。',
    ),
  ),
  email: EmailSchema,
  bank_name: line('金融機関名', 60),
  branch_name: line('支店名', 60),
  deposit_type: v.pipe(
    v.string('預金種別を選んでください。'),
    v.picklist(['', ...DEPOSIT_TYPES], '預金種別を選んでください。'),
  ),
  account_number: digits('口座番号', /^(?:\d{4,8})?$/, '口座番号は4桁から8桁の数字で入力してください。'),
  phone_number: digits(
    '電話番号',
    /^(?:\+?\d(?:-?\d){8,13})?$/,
    '電話番号は9桁から14桁の数字で、ハイフンはあってもなくてもかまいません。',
  ),
  message_email: v.pipe(
    v.string(MESSAGE_EMAIL_PROBLEM),
    v.transform(normaliseEmail),
    v.check((value) => value === '' || isEmail(value), MESSAGE_EMAIL_PROBLEM),
  ),
  /** Only its form; whether the host is the right one says `toDonationUrl` with the host of the settings. */
  donation_url: v.pipe(
    v.string(DONATION_URL_PROBLEM),
    v.trim(),
    v.maxLength(300, DONATION_URL_PROBLEM),
    v.regex(/^[^\p{Z}\p{Cc}]*$/u, DONATION_URL_PROBLEM),
  ),
} as const;
export type ProfileField = keyof typeof PROFILE_FIELDS;

/** How far the check of a member's identity has come. */
export interface IdentityCheck {
  readonly isVerified: boolean;
  readonly isUnderReview: boolean;
}

/** Why a field cannot be edited now; null when it can. */
export function findLock(field: ProfileField, { isVerified, isUnderReview }: IdentityCheck): string | null {
  if (isVerified) return LOCKED_FIELDS.has(field) ? LOCKED_PROBLEM : null;
  return isUnderReview && REVIEWED_FIELDS.has(field) ? REVIEWED_PROBLEM : null;
}

/** What has to be filled in before an ID is sent (spec §5). */
export const ID_PRECONDITIONS = [
  'bank_name',
  'branch_name',
  'deposit_type',
  'account_number',
  'phone_number',
  'email',
] as const satisfies readonly ProfileField[];
