import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';

/** Spec §5, in characters as people count them. */
export const MESSAGE_LENGTH_MAX = 10_000;

const EMPTY = 'メッセージを入力してください。';

export const MessageTextSchema = v.pipe(
  v.optional(v.string(EMPTY), ''),
  // Pasted text can contain invisible control characters, which a database may reject.
  v.transform((text) => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')),
  v.trim(),
  v.nonEmpty(EMPTY),
  v.check(
    (text) => [...text].length <= MESSAGE_LENGTH_MAX,
    `メッセージは${MESSAGE_LENGTH_MAX.toLocaleString('ja-JP')}文字以内で入力してください。`,
  ),
);

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
  reply: v.unknown(),
  errors: {
    400: 'the text is empty or too long, or the artist takes no messages',
    404: 'no artist has this username',
    429: 'too many messages',
  },
});
