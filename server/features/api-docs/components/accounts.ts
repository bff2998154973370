import {
  CredentialsSchema,
  PasswordResetSchema,
  RegistrationSchema,
  SessionUserSchema,
  describeUndo,
  undoChange,
  logIn,
  logOut,
  reauthenticate,
  refreshAccess,
  requestPasswordReset,
  verifyEmail,
} from '../../../../contract/accounts.ts';
import { DeletionPreviewSchema, requestDeletion, requestExport } from '../../../../contract/own-data.ts';
import { body, email, flag, integer, list, part, picture, reply, text, time } from '../field.ts';

const ACCESS = text('アクセストークン。15分間有効', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJOTm1vWFcifQ.MmSd8XZ5');
const REFRESH = text(
  '新しい access を得るためのトークン。1回だけ使える',
  '1r7WOj00yp5O6kPN.wSOe42lEor5yDBr4w6aZ0cqv',
);
const TOKEN = text('メールのリンクに含まれる値', 'h2WbTcbSdvEqEbfmRS0obg');
const PASSWORD = text('パスワード', 'correct horse battery', { format: 'password' });
const NEW_PASSWORD = text('新しいパスワード（8文字から）', 'correct horse battery', { format: 'password' });

/** Accounts and their sessions. */
export const ACCOUNT_COMPONENTS = {
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
  UndoToken: body('取り消しのリンク', describeUndo.body, { token: TOKEN }),
  UndoDescription: reply('取り消せる変更', describeUndo.reply, {
    changes: list('変更されたもの', ['メールアドレス']),
    changed_at: time('変更した日時'),
    can_keep_password: flag(
      'アカウントの削除か、サウンドの削除や変更のリンクで、パスワードを変えずに取り消せるかどうか',
      true,
    ),
    sounds: list('そのとき元に戻る、削除されたサウンドのタイトル', ['雨の庭']),
    changed_count: integer('そのとき元の内容に戻る、変更されたサウンドの数', 1),
    changed_sounds: list('そのうち100件までの、元のタイトルと変更された項目', [
      '「雨の庭」（タイトル、説明）',
    ]),
    widened_downloads: integer(
      '使いみちかContent IDの変更から今までに、対象のサウンドがダウンロードされた回数',
      0,
    ),
  }),
  UndoRequest: body('取り消しの指示', undoChange.body, {
    token: TOKEN,
    keeps_password: flag('削除のリンクで、パスワードを変えずに削除だけを取り消すかどうか', true),
  }),
  DeletionPreview: reply('退会で失うもの', DeletionPreviewSchema, {
    sounds: integer('削除されるサウンドの数', 12),
    favorites: integer('削除されるお気に入りの数', 48),
    balance: integer('失う残高（円）', 4_200),
    payable: integer('そのうち、いま送金を依頼できる額（円）', 4_000),
    has_open_transfer: flag('手続き中の送金があり、退会できないかどうか', false),
    is_last_staff: flag('最後の運営アカウントで、退会できないかどうか', false),
  }),
  DeletionRequest: body('退会の申し込み', requestDeletion.body, {
    forfeit: integer('確認した、失う残高（円）', 4_200),
  }),
  DeletionScheduled: reply('退会の予定', requestDeletion.reply, { deleted_at: time('削除される日時') }),
  ExportLink: reply('書き出しの引換え', requestExport.reply, {
    token: text('ダウンロードするときに送る token', 'y475QWn7FBwnO9tL'),
  }),
};
