import {
  CredentialsSchema,
  PasswordResetSchema,
  RegistrationSchema,
  SessionUserSchema,
  logIn,
  logOut,
  reauthenticate,
  refreshAccess,
  requestPasswordReset,
  verifyEmail,
} from '../../../contract/accounts/accounts.ts';
import { CAUSES, FROM_MAIL } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { body, email, flag, part, picture, reply, text } from '../api-docs/field.ts';

const TRY_LATER = '混み合っている。Retry-After のあとに再試行する';
const ACCESS = text('アクセストークン。15分間有効', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJOTm1vWFcifQ.MmSd8XZ5');
const REFRESH = text(
  '新しい access を得るためのトークン。1回だけ使える',
  '1r7WOj00yp5O6kPN.wSOe42lEor5yDBr4w6aZ0cqv',
);
const PASSWORD = text('パスワード', 'correct horse battery', { format: 'password' });
const NEW_PASSWORD = text('新しいパスワード（8文字から）', 'correct horse battery', { format: 'password' });

/** Accounts and log-in. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'accounts', title: 'アカウントとログイン', position: 8 },
  calls: {
    'POST /api/account/register/': {
      id: 'register',
      summary: '会員登録',
      description:
        '確認メールのリンクを開くと登録が終わります。登録済みのアドレスでも返答は同じです。ユーザー名は2文字以上で、使える文字が決まっています。',
      refusals: {
        400: '項目に誤りがあるか、ユーザー名が使われている。項目名は本文に示す',
        403: '会員登録を受け付けていない',
        503: TRY_LATER,
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
        503: TRY_LATER,
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
  },
  components: {
    Registration: body('会員登録の内容', RegistrationSchema, {
      username: text('ユーザー名', 'kazami'),
      email: email('メールアドレス'),
      password: NEW_PASSWORD,
    }),
    Credentials: body('ログインの内容', CredentialsSchema, {
      email: email('メールアドレス'),
      username: text('空でよい', ''),
      password: PASSWORD,
    }),
    LogIn: reply('ログインの結果', logIn.reply, {
      user: part('ログインした会員'),
      access: ACCESS,
      refresh: REFRESH,
    }),
    SessionUser: reply('ログインした会員', SessionUserSchema, {
      id: text('会員のid', 'NNmoXW1bOQyBLwPN'),
      username: text('ユーザー名', 'kazami'),
      email: email('メールアドレス'),
      profile_picture: picture('プロフィール画像'),
    }),
    RefreshRequest: body('更新するトークン', refreshAccess.body, { refresh: REFRESH }),
    Tokens: reply('新しいトークン', refreshAccess.reply, { access: ACCESS, refresh: REFRESH }),
    Reauthentication: body('パスワードの確認', reauthenticate.body, { password: PASSWORD }),
    LogOut: body('終えるセッション', logOut.body, {
      refresh: REFRESH,
      everywhere: flag('すべての端末のセッションを終えるかどうか', false),
    }),
    ConfirmedAddress: reply('確認したメールアドレス', verifyEmail.reply, {
      email: email('確認したメールアドレス。登録の記録があるあいだだけ送る'),
      detail: text('結果を示す文', 'メールアドレスを確認しました。'),
    }),
    PasswordResetRequest: body('パスワードの再設定の申し込み', requestPasswordReset.body, {
      email: email('登録したメールアドレス'),
    }),
    PasswordReset: body('新しいパスワード', PasswordResetSchema, {
      uid: text('メールのリンクの uid', 'NNmoXW1bOQyBLwPN'),
      token: text('メールのリンクの token', 'h2WbTcbSdvEqEbfmRS0obg'),
      password: NEW_PASSWORD,
    }),
  },
};
