import { CAUSES, FROM_MAIL } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { text } from '../field.ts';

/** Accounts and log-in, by method and path. */
export const ACCOUNTS_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/account/register/': {
    id: 'register',
    summary: '会員登録',
    description:
      '確認メールのリンクを開くと登録が終わります。登録済みのアドレスでも返答は同じです。ユーザー名は2文字以上で、使える文字が決まっています。',
    refusals: {
      400: '項目に誤りがあるか、ユーザー名が使われている。項目名は本文に示す',
      403: '会員登録を受け付けていない',
      503: CAUSES.tryLater,
    },
  },
  'GET /api/account/verify-email/{uid}/{token}/': {
    id: 'verifyEmail',
    summary: '登録のメールアドレスを確認する',
    refusals: { 400: CAUSES.linkExpired },
    fields: {
      uid: text('メールのリンクの uid', 'NNmoXW1bOQyBLwPN'),
      token: text('メールのリンクの token', 'h2WbTcbSdvEqEbfmRS0obg'),
    },
  },
  'POST /api/account/login/': {
    id: 'logIn',
    summary: 'ログイン',
    description:
      'access は15分間有効です。refresh で新しいものを得ます。誤りが続くと、待つ時間が長くなります。username は空でかまいません。',
    refusals: {
      400: 'メールアドレスとパスワードが合わないか、メールアドレスの確認が済んでいない',
      403: '退会の手続き中',
      503: CAUSES.tryLater,
    },
  },
  'POST /api/account/token/refresh/': {
    id: 'refreshAccess',
    summary: 'アクセストークンを更新する',
    description: 'refresh は1回ごとに新しくなります。',
    refusals: { 401: 'refresh が正しくない、使用済み、または期限が切れている' },
  },
  'POST /api/account/reauthenticate/': {
    id: 'reauthenticate',
    summary: 'パスワードをもう一度確認する',
    description: 'このセッションだけに15分間有効です。',
    refusals: { 400: 'パスワードが正しくない' },
    isExtension: true,
  },
  'POST /api/account/logout/': {
    id: 'logOut',
    summary: 'ログアウト',
    description: 'everywhere が true なら、すべての端末のセッションを終えます。',
    isExtension: true,
  },
  'POST /api/forgot-password/': {
    id: 'requestPasswordReset',
    summary: 'パスワードの再設定を申し込む',
    description: '登録されていないアドレスでも返答は同じです。',
  },
  'POST /api/reset-password/': {
    id: 'resetPassword',
    summary: '新しいパスワードを決める',
    description: FROM_MAIL,
    refusals: {
      400: 'リンクが正しくない、使用済み、または期限が切れている。またはパスワードが条件に合わない',
    },
  },
};
