import { DELETION_GRACE_DAYS, EXPORT_LINK_SEC } from '../../../contract/own-data.ts';
import { QUALITY_CHECK_SLOTS } from '../../../contract/quality-check.ts';
import { FROM_MAIL, PASSWORD_FIRST } from './call-text.ts';
import type { CallText } from './call-text.ts';
import { integer, list, month, part, text } from './field.ts';

/** Calls about accounts, profiles, reviews and rewards, and about the site, by method and path. */
export const MEMBER_CALLS: Readonly<Record<string, CallText>> = {
  'POST /api/account/register/': {
    id: 'register',
    summary: '会員登録',
    description:
      '確認メールのリンクを開くと登録が終わります。登録済みのアドレスでも返答は同じです。ユーザー名は2文字以上で、使える文字が決まっています。',
  },
  'GET /api/account/verify-email/{uid}/{token}/': {
    id: 'verifyEmail',
    summary: '登録のメールアドレスを確認する',
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
  },
  'POST /api/account/token/refresh/': {
    id: 'refreshAccess',
    summary: 'アクセストークンを更新する',
    description: 'refresh は1回ごとに新しくなります。',
  },
  'POST /api/account/reauthenticate/': {
    id: 'reauthenticate',
    summary: 'パスワードをもう一度確認する',
    description: 'このセッションだけに15分間有効です。',
    extension: true,
  },
  'POST /api/account/logout/': {
    id: 'logOut',
    summary: 'ログアウト',
    description: 'everywhere が true なら、すべての端末のセッションを終えます。',
    extension: 'log-out',
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
  },
  'GET /api/account/profile/': {
    id: 'getProfile',
    summary: '自分のプロフィール',
    fields: {
      month: integer('報酬を調べる月（1から12）', 11, { minimum: 1 }),
      year: integer('報酬を調べる年', 2026, { minimum: 2000 }),
    },
  },
  'PATCH /api/account/update-profile/': {
    id: 'updateProfile',
    summary: 'プロフィールを変更する',
    description: `変更する項目だけを送ります。メールアドレスや振込先などの変更では、${PASSWORD_FIRST}`,
  },
  'POST /api/account/confirm-email/': {
    id: 'confirmEmail',
    summary: '変更したメールアドレスを確認する',
    description: FROM_MAIL,
    extension: 'email-change-confirmation',
  },
  'POST /api/account/confirm-message-email/': {
    id: 'confirmMessageEmail',
    summary: 'メッセージの宛先を確認する',
    description: FROM_MAIL,
    extension: true,
  },
  'POST /api/account/undo/describe/': {
    id: 'describeUndo',
    summary: '取り消せる変更の内容を見る',
    description: `${FROM_MAIL}何も変更しません。`,
    extension: true,
  },
  'POST /api/account/undo/': {
    id: 'undoChange',
    summary: '変更を取り消す',
    description: `${FROM_MAIL}それより後の変更も取り消し、すべてのセッションを終え、パスワードを無効にします。アカウントの削除のメールのリンクでは、keeps_password に true を指定すると、削除だけを取り消します。`,
    extension: true,
  },
  'POST /api/account/update-profile-picture/': {
    id: 'updateProfilePicture',
    summary: 'プロフィール画像を変更する',
    fields: { profile_picture: part('JPEGかPNGの画像') },
  },
  'POST /api/account/update-profile-background/': {
    id: 'updateProfileBackground',
    summary: '背景の画像を変更する',
    fields: { profile_background: part('JPEGかPNGの画像') },
  },
  'POST /api/account/upload-quality-check/': {
    id: 'applyForQualityCheck',
    summary: 'クオリティチェックに申し込む',
    description: '3つ以上のファイルを file_1 から順に送ります。',
    fields: {
      ...Object.fromEntries(
        QUALITY_CHECK_SLOTS.map((slot, index) => [slot, part(`${index + 1}曲目。MP3、またはAACのM4A`)]),
      ),
      user_id: text('自分のid', 'NNmoXW1bOQyBLwPN'),
      types: list('サウンドの種類のid。繰り返せる', ['1']),
    },
  },
  'POST /api/account/verify-personal-info/': {
    id: 'verifyPersonalInfo',
    summary: '本人確認書類を送る',
    description: `振込先などの項目を先に入力しておきます。${PASSWORD_FIRST}`,
    fields: { personal_id_image: part('本人確認書類の写真') },
  },
  'POST /api/finance/transfer-request/': {
    id: 'requestTransfer',
    summary: '報酬の送金を依頼する',
    description: `残高の全額を依頼します。3,000円から。${PASSWORD_FIRST}`,
  },
  'GET /api/finance/transfer-requests/': {
    id: 'listTransfers',
    summary: '送金の履歴',
    extension: 'transfer-history',
    fields: { page: integer('ページ番号（1から）', 1, { minimum: 1 }) },
  },
  'GET /api/finance/statements/{month}/': {
    id: 'getStatement',
    summary: '月ごとの報酬の明細',
    extension: 'statements',
    fields: { month: month('月') },
  },
  'GET /api/account/deletion/': {
    id: 'previewDeletion',
    summary: '退会で失うものを確認する',
    extension: 'account-deletion',
  },
  'POST /api/account/deletion/': {
    id: 'requestDeletion',
    summary: '退会する',
    description: `アカウントはすぐに非公開になり、${DELETION_GRACE_DAYS}日後に削除されます。それまではメールのリンクで取り消せます。${PASSWORD_FIRST}`,
    extension: 'account-deletion',
  },
  'POST /api/account/export/': {
    id: 'requestExport',
    summary: '自分のデータの書き出しを申し込む',
    description: `返された token は${EXPORT_LINK_SEC}秒間有効です。${PASSWORD_FIRST}`,
    extension: 'data-export',
  },
  'GET /api/account/export/file/': {
    id: 'downloadExport',
    summary: '自分のデータ（ZIP）をダウンロードする',
    extension: 'data-export',
  },
  'GET /api/site-config': { id: 'getSiteConfig', summary: 'サイトの設定と、このホストの拡張' },
  'GET /api/page/': { id: 'listPages', summary: 'フッターに出るページの一覧' },
  'GET /api/page/{slug}/': {
    id: 'getPage',
    summary: '1つのページの本文（Markdown）',
    extension: 'page-bodies',
    fields: { slug: text('ページの名前', 'about') },
  },
  'GET /notice/next': {
    id: 'getNextNotice',
    summary: '次に表示するお知らせ広告',
    description: 'お知らせ広告がないときは、notice が null です。',
    extension: 'notices',
  },
  'GET /api/openapi.json': { id: 'getOpenApi', summary: 'APIの説明（OpenAPI 3.1）', extension: true },
  'GET /api/docs': { id: 'getDocs', summary: 'APIの説明（このページ）', extension: true },
};
