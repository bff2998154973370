import { CAUSES, FROM_MAIL, SOUND_ID } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { text } from '../field.ts';

/** Messages to artists and to the operator, and reports, by method and path. */
export const MESSAGES_CALLS: Readonly<Record<string, CallText>> = {
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
  'POST /api/sounds/{id}/reports/': {
    id: 'submitReport',
    summary: 'サウンドを報告する',
    description:
      '届いた確認メールのリンクを開くまで、報告は受け付けられません。copyright と likeness では relation と is_truthful が必要です。',
    refusals: { 400: CAUSES.wrongField, 404: 'このidの公開中のサウンドはない' },
    isExtension: true,
    fields: SOUND_ID,
  },
  'POST /api/reports/view/': {
    id: 'viewReport',
    summary: '自分がした報告を見る',
    description: FROM_MAIL,
    refusals: { 400: CAUSES.noReport },
    isExtension: true,
  },
  'POST /api/reports/confirm/': {
    id: 'confirmReport',
    summary: '報告者のメールアドレスを確認する',
    description: FROM_MAIL,
    refusals: { 400: CAUSES.noReport, 409: '確認を待っている報告ではないか、同じ人がすでに報告している' },
    isExtension: true,
  },
  'GET /api/account/reports/': {
    id: 'listOwnReports',
    summary: '自分のサウンドへの報告',
    isExtension: true,
  },
  'POST /api/account/reports/{id}/answer/': {
    id: 'answerReport',
    summary: '報告に回答する',
    description: '回答は1回だけです。',
    refusals: {
      400: '本文が空か、長すぎる',
      404: '自分のサウンドへの、このidの報告はない',
      409: 'すでに回答したか、判断されている',
    },
    isExtension: true,
    fields: { id: text('報告のid', 'LpsJY7vlJfVt8nKa') },
  },
  'POST /api/account/report-answers/': {
    id: 'answerReports',
    summary: '複数の報告に同じ回答をする',
    description:
      '回答は、それぞれの報告に1回だけです。すでに回答した報告と判断の終わった報告は、そのまま返します。',
    refusals: {
      400: '報告を選んでいない。または本文が空か、長すぎる',
      404: '自分のサウンドへの報告ではないものがある',
      409: 'すべて、すでに回答したか、判断されている',
    },
    isExtension: true,
  },
};
