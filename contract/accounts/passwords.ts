import * as v from 'valibot';

/** Spec §5 and §9. */
export const PASSWORD_LENGTH_MIN = 8;
/** Long enough for any passphrase and short enough to hash. */
export const PASSWORD_LENGTH_MAX = 256;

const MISSING = 'パスワードを入力してください。';

/** A newly chosen password. Its length is counted in characters as people count them. */
/* @__NO_SIDE_EFFECTS__ */
export function newPassword(missing: string, tooShort: string) {
  return v.pipe(
    requiredPassword(missing),
    v.check((password) => [...password].length >= PASSWORD_LENGTH_MIN, tooShort),
  );
}

/** A password to compare. Any form is allowed; the length is limited to bound the cost of hashing. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredPassword(missing: string) {
  return v.pipe(
    v.optional(v.string(missing), ''),
    v.nonEmpty(missing),
    v.maxLength(PASSWORD_LENGTH_MAX, `パスワードは${PASSWORD_LENGTH_MAX}文字以内で入力してください。`),
  );
}

/** For all forms but those to register and to log in, whose messages spec §5 quotes. */
export const NewPasswordSchema = newPassword(
  MISSING,
  `パスワードは${PASSWORD_LENGTH_MIN}文字以上で入力してください。`,
);
export const PasswordSchema = requiredPassword(MISSING);
