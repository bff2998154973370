import * as v from 'valibot';
import { EmailSchema } from './emails.ts';
import { defineEndpoint } from './endpoint.ts';

export const CONTACT_NAME_LENGTH_MAX = 100;
/** Same limit as for a message to an artist (spec §5). */
export const CONTACT_LENGTH_MAX = 10_000;

export const ContactSchema = v.object({
  name: v.pipe(
    v.optional(v.string('お名前を入力してください。'), ''),
    v.trim(),
    v.nonEmpty('お名前を入力してください。'),
    v.maxLength(CONTACT_NAME_LENGTH_MAX, `お名前は${CONTACT_NAME_LENGTH_MAX}文字以内で入力してください。`),
    v.regex(/^[^\p{Cc}]*$/u, 'お名前に使えない文字が含まれています。'),
  ),
  email: EmailSchema,
  message: v.pipe(
    v.optional(v.string('お問い合わせの内容を入力してください。'), ''),
    // Pasted text can contain invisible control characters, which a database may reject.
    v.transform((text) => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')),
    v.trim(),
    v.nonEmpty('お問い合わせの内容を入力してください。'),
    v.check(
      (text) => [...text].length <= CONTACT_LENGTH_MAX,
      `お問い合わせは${CONTACT_LENGTH_MAX.toLocaleString('ja-JP')}文字以内で入力してください。`,
    ),
  ),
});

/** Sends a message to the operator (docs/decisions/009). */
export const sendContact = defineEndpoint({
  method: 'POST',
  path: '/api/contact/',
  body: ContactSchema,
  reply: v.unknown(),
  errors: { 400: 'a field is wrong; the body names it', 429: 'too many messages from this address' },
});
