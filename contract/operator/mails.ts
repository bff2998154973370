import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastText } from '../calls/query-values.ts';

/** `came-back`: the mail server took it, and a mail said later that it could not be delivered. */
export const MAIL_STATES = ['waiting', 'given-up', 'came-back', 'sent'] as const;
export type ListedMailState = (typeof MAIL_STATES)[number];
/** Mails in one list; older ones are not shown. */
export const LISTED_MAILS_MAX = 200;

const MailSchema = v.object({
  id: v.string(),
  /** Masked, such as `h***@example.jp`. */
  to: v.string(),
  subject: v.string(),
  attempts: v.pipe(v.number(), v.integer()),
  /** Epoch ms. */
  created_at: v.number(),
  /** Of a waiting mail: when it is tried. Epoch ms. */
  next_attempt_at: v.nullable(v.number()),
  /** Codes of the last failure, or of the mail that came back; '' for none. */
  cause: v.string(),
});
export type ListedMail = v.InferOutput<typeof MailSchema>;

/** The mails in a state without their texts, which have secret links: the newest first. */
export const listMails = defineEndpoint({
  method: 'GET',
  path: '/api/operator/mails/',
  query: v.object({ state: v.optional(v.pipe(lastText, v.picklist(MAIL_STATES))) }),
  reply: v.object({ results: v.array(MailSchema) }),
});

/** Takes a waiting mail out of the queue and wipes its text. Its recipient never gets it. */
export const dropMail = defineEndpoint({
  method: 'POST',
  path: '/api/operator/mails/{id}/drop/',
  reply: v.object({ state: v.literal('given-up') }),
});
