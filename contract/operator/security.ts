import * as v from 'valibot';
import { toHalfWidth } from '../values/digits.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { PasswordSchema } from '../accounts/passwords.ts';
import { DoneSchema } from '../calls/wire.ts';

/** Calls of the console for the second factor of the caller's own account. */

const CODE_FORM = '認証コードは6桁の数字で、回復コードは表示されたとおりに入力してください。';

/**
 * A code of the authenticator, or a recovery code of 24 characters, of 16 if it is an older one; spaces, hyphens, width and
 * case do not count.
 */
export const CodeSchema = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('認証コードを入力してください。'),
  v.maxLength(40, CODE_FORM),
  v.transform((text) => toHalfWidth(text).replace(/[\s-]/g, '').toUpperCase()),
  v.regex(/^(?:\d{6}|[A-Z2-7]{24}|[A-Z2-7]{16})$/, CODE_FORM),
);

const SecondFactorSchema = v.object({
  is_on: v.boolean(),
  /** Recovery codes that were not used. */
  recovery_codes: v.number(),
});

export const getSecondFactor = defineEndpoint({
  method: 'GET',
  path: '/api/operator/security/',
  reply: SecondFactorSchema,
});

const StartedSchema = v.object({
  /** In base32, to type in. */
  secret: v.string(),
  /** The QR code: one text of 0 and 1 for each line, with its margin. */
  qr: v.array(v.string()),
});
export type StartedSecondFactor = v.InferOutput<typeof StartedSchema>;

/** Makes a secret, which has no effect before it is confirmed. */
export const startSecondFactor = defineEndpoint({
  method: 'POST',
  path: '/api/operator/security/start/',
  reply: StartedSchema,
  refuses: [400, 409],
});

/** Turns the second factor on; the recovery codes are shown this once. */
export const confirmSecondFactor = defineEndpoint({
  method: 'POST',
  path: '/api/operator/security/confirm/',
  body: v.object({ code: CodeSchema }),
  reply: v.object({ recovery_codes: v.array(v.string()) }),
  refuses: [400, 409],
});

export const endSecondFactor = defineEndpoint({
  method: 'POST',
  path: '/api/operator/security/end/',
  body: v.object({ password: PasswordSchema, code: CodeSchema }),
  reply: DoneSchema,
  refuses: [400, 409],
});

/** Gives a code, or a recovery code, for this session; with the password if that is needed again as well. */
export const giveSecondFactor = defineEndpoint({
  method: 'POST',
  path: '/api/operator/security/code/',
  body: v.object({ code: CodeSchema, password: v.optional(PasswordSchema) }),
  reply: DoneSchema,
  refuses: [400, 409],
});
