import { FROM_MAIL, SOUND_ID } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { text } from '../field.ts';

/** Messages to artists and to the operator, and reports, by method and path. */
export const MESSAGES_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/messages/send/': {
    id: 'sendMessage',
    summary: 'アーティストにメッセージを送る',
    description:
      'recipient_email はアーティストのプロフィールの値で、実際の宛先はホストが調べます。share_email は、ログインしている人が返信を希望する場合だけ意味をもちます（reply-address）。',
  },
  'POST /api/contact/': { id: 'sendContact', summary: '運営に問い合わせる', extension: 'contact' },
  'POST /api/sounds/{id}/reports/': {
    id: 'submitReport',
    summary: 'サウンドを報告する',
    description:
      '届いた確認メールのリンクを開くまで、報告は受け付けられません。copyright と likeness では relation と is_truthful が必要です。',
    extension: 'reports',
    fields: SOUND_ID,
  },
  'POST /api/reports/view/': {
    id: 'viewReport',
    summary: '自分がした報告を見る',
    description: FROM_MAIL,
    extension: 'reports',
  },
  'POST /api/reports/confirm/': {
    id: 'confirmReport',
    summary: '報告者のメールアドレスを確認する',
    description: FROM_MAIL,
    extension: 'reports',
  },
  'GET /api/account/reports/': {
    id: 'listOwnReports',
    summary: '自分のサウンドへの報告',
    extension: 'reports',
  },
  'POST /api/account/reports/{id}/answer/': {
    id: 'answerReport',
    summary: '報告に回答する',
    description: '回答は1回だけです。',
    extension: 'reports',
    fields: { id: text('報告のid', 'LpsJY7vlJfVt8nKa') },
  },
  'POST /api/account/report-answers/': {
    id: 'answerReports',
    summary: '複数の報告に同じ回答をする',
    description:
      '回答は、それぞれの報告に1回だけです。すでに回答した報告と判断の終わった報告は、そのまま返します。',
    extension: 'report-answers',
  },
};
