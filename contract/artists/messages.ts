import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { requiredText } from '../values/texts.ts';
import { DoneSchema } from '../calls/wire.ts';

/** Spec §5, in characters as people count them. */
export const MESSAGE_LENGTH_MAX = 10_000;

export const MessageTextSchema = requiredText('メッセージ', MESSAGE_LENGTH_MAX);

/**
 * A message to an artist. `recipient_email` is the value from the artist's profile; a host must look up the address
 * itself. `share_email` is our addition: the sender is logged in and wants a reply.
 */
export const sendMessage = defineEndpoint({
  method: 'POST',
  path: '/api/messages/send/',
  body: v.object({
    artist_username: v.pipe(v.optional(v.string(), ''), v.maxLength(150, '宛先が正しくありません。')),
    text: MessageTextSchema,
    recipient_email: v.pipe(v.optional(v.string(), ''), v.maxLength(254, '宛先が正しくありません。')),
    share_email: v.optional(v.boolean('true か false を指定してください。'), false),
  }),
  reply: DoneSchema,
  refuses: [400, 404],
});
