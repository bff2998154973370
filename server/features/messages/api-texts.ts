import { ContactSchema } from '../../../contract/site/contact.ts';
import { sendMessage } from '../../../contract/artists/messages.ts';
import { CAUSES } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, email, flag, text } from '../api-docs/field.ts';

/** Messages to artists and to the operator. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'messages', title: 'メッセージとお問い合わせ', position: 6 },
  calls: {
    'POST /api/messages/send/': {
      id: 'sendMessage',
      summary: 'アーティストにメッセージを送る',
      description:
        'recipient_email はアーティストのプロフィールの値で、実際の宛先はホストが調べます。share_email は、ログインしている人が返信を希望する場合だけ意味をもちます（reply-address）。',
      refusals: {
        400: '本文が空か長すぎる、またはアーティストがメッセージを受け付けていない',
        404: CAUSES.noArtist,
      },
    },
    'POST /api/contact/': {
      id: 'sendContact',
      summary: '運営に問い合わせる',
      isExtension: true,
      refusals: { 400: CAUSES.wrongField },
    },
  },
  components: {
    Message: body('アーティストへのメッセージ', sendMessage.body, {
      artist_username: text('アーティストのユーザー名', 'kazami'),
      text: text('本文（10,000文字まで）', '曲を動画で使いました。'),
      recipient_email: text('アーティストのプロフィールの message_email', '•••@…'),
      share_email: flag('自分のメールアドレスを伝えて、返信を希望するかどうか', false),
    }),
    Contact: body('お問い合わせ', ContactSchema, {
      name: text('お名前', '見本 花子'),
      email: email('返信先のメールアドレス'),
      message: text('内容（10,000文字まで）', '使い方について教えてください。'),
    }),
  },
};
