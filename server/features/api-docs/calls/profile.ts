import { CAUSES, FROM_MAIL, PASSWORD_FIRST } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { integer, part } from '../field.ts';

/** A member’s own profile, and the links of its mails, by method and path. */
export const PROFILE_CALLS: Readonly<Record<string, CallText>> = {
  'GET /api/account/profile/': {
    id: 'getProfile',
    summary: '自分のプロフィール',
    refusals: { 400: '月または年の形式が正しくない' },
    fields: {
      month: integer('報酬を調べる月（1から12）', 11, { minimum: 1 }),
      year: integer('報酬を調べる年', 2026, { minimum: 2000 }),
    },
  },
  'PATCH /api/account/update-profile/': {
    id: 'updateProfile',
    summary: 'プロフィールを変更する',
    description: `変更する項目だけを送ります。メールアドレスや振込先などの変更では、${PASSWORD_FIRST}`,
    refusals: {
      400: '項目に誤りがある、すでに使われている、変更できない、または存在しない。項目名は本文に示す',
      403: '制限されている会員が公開の項目を変更しようとした。またはパスワードの確認が必要',
      409: 'read の値が、いまの値と違う。項目名は本文に示す',
    },
  },
  'POST /api/account/confirm-email/': {
    id: 'confirmEmail',
    summary: '変更したメールアドレスを確認する',
    description: FROM_MAIL,
    refusals: { 400: CAUSES.linkReplaced },
    isExtension: true,
  },
  'POST /api/account/confirm-message-email/': {
    id: 'confirmMessageEmail',
    summary: 'メッセージの宛先を確認する',
    description: FROM_MAIL,
    refusals: { 400: CAUSES.linkReplaced },
    isExtension: true,
  },
  'POST /api/account/undo/describe/': {
    id: 'describeUndo',
    summary: '取り消せる変更の内容を見る',
    description: `${FROM_MAIL}何も変更しません。`,
    refusals: { 400: CAUSES.linkUsed },
    isExtension: true,
  },
  'POST /api/account/undo/': {
    id: 'undoChange',
    summary: '変更を取り消す',
    description: `${FROM_MAIL}それより後の変更も取り消し、すべてのセッションを終え、パスワードを無効にします。アカウントの削除のメールのリンクでは、keeps_password に true を指定すると、削除だけを取り消します。`,
    refusals: { 400: CAUSES.linkUsed },
    isExtension: true,
  },
  'POST /api/account/update-profile-picture/': {
    id: 'updateProfilePicture',
    summary: 'プロフィール画像を変更する',
    refusals: { 400: CAUSES.noPicture, 403: CAUSES.blocked, 413: CAUSES.pictureTooLarge },
    fields: { profile_picture: part('JPEGかPNGの画像') },
  },
  'POST /api/account/update-profile-background/': {
    id: 'updateProfileBackground',
    summary: '背景の画像を変更する',
    refusals: { 400: CAUSES.noPicture, 403: CAUSES.blocked, 413: CAUSES.pictureTooLarge },
    fields: { profile_background: part('JPEGかPNGの画像') },
  },
};
