import * as v from 'valibot';

/** Spec §5 and §9. */
export const PASSWORD_LENGTH_MIN = 8;
/** Long enough for any passphrase and short enough to hash. */
export const PASSWORD_LENGTH_MAX = 256;

/** A newly chosen password. Its length is counted in characters as people count them. */
export const NewPasswordSchema = v.pipe(
  v.optional(v.string('Password is required'), ''),
  v.nonEmpty('Password is required'),
  v.check(
    (password) => [...password].length >= PASSWORD_LENGTH_MIN,
    'Password must be at least 8 characters long',
  ),
  v.maxLength(PASSWORD_LENGTH_MAX, `パスワードは${PASSWORD_LENGTH_MAX}文字以内で入力してください。`),
);

/** A password to compare. Any form is allowed; the length is limited to bound the cost of hashing. */
export const PasswordSchema = v.pipe(
  v.optional(v.string('Password is required'), ''),
  v.nonEmpty('Password is required'),
  v.maxLength(PASSWORD_LENGTH_MAX, `パスワードは${PASSWORD_LENGTH_MAX}文字以内で入力してください。`),
);
