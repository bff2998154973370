import * as v from 'valibot';
import { EmailSchema } from '../values/emails.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { DoneSchema } from '../calls/wire.ts';
import { requiredLine, requiredText } from '../values/texts.ts';

export const CONTACT_NAME_LENGTH_MAX = 100;
/** Same limit as for a message to an artist (spec §5). */
export const CONTACT_LENGTH_MAX = 10_000;

export const ContactSchema = v.object({
  name: requiredLine('お名前', CONTACT_NAME_LENGTH_MAX),
  email: EmailSchema,
  message: requiredText('お問い合わせ', CONTACT_LENGTH_MAX, 'お問い合わせの内容を入力してください。'),
});

/** Sends a message to the operator (decision 009). */
export const sendContact = defineEndpoint({
  method: 'POST',
  path: '/api/contact/',
  body: ContactSchema,
  reply: DoneSchema,
  refuses: [400],
});
