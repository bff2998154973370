import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';

/** Spec §5, in characters as people count them. */
export const MESSAGE_LENGTH_MAX = 10_000;

const EMPTY = 'メッセージを入力してください。';

export const MessageTextSchema = v.pipe(
  v.optional(v.string(EMPTY), ''),
  // What is pasted may bring along control characters that nobody sees and a database may refuse.
  v.transform((text) => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')),
  v.trim(),
  v.nonEmpty(EMPTY),
  v.check(
    (text) => [...text].length <= MESSAGE_LENGTH_MAX,
    `メッセージは${MESSAGE_LENGTH_MAX.toLocaleString('ja-JP')}文字以内で入力してください。`,
  ),
);

/**
 * A message to an artist. `recipient_email` is what the artist's profile says; a host must look the
 * address up itself. `share_email` is ours: the sender is logged in and wants to be answered.
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
