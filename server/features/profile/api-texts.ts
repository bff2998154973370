import { describeUndo, undoChange } from '../../../contract/accounts/accounts.ts';
import { DEPOSIT_TYPES, PROFILE_LABELS } from '../../../contract/accounts/profile-fields.ts';
import {
  BackgroundChangedSchema,
  MonthFiguresSchema,
  OpenPayoutSchema,
  PendingReleaseSchema,
  PictureChangedSchema,
  ProfileChangeSchema,
  ProfileSchema,
  QualityCheckStandingSchema,
  ReadFieldsSchema,
  confirmEmail,
} from '../../../contract/accounts/profile.ts';
import { CAUSES, FROM_MAIL, PASSWORD_FIRST } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import {
  body,
  choice,
  email,
  flag,
  integer,
  list,
  month,
  part,
  picture,
  reply,
  text,
  time,
} from '../api-docs/field.ts';
import { PUBLIC_FIELDS } from '../artists/api-texts.ts';
import { PERSONAL_INFO_STATES, QUALITY_CHECK_STATES } from '../reviews/api-texts.ts';

const LINK_REPLACED = 'リンクが正しくない、使用済み、新しいものに替わった、または期限が切れている';
const LINK_USED = 'リンクが正しくない、使用済み、または期限が切れている';
const TOKEN = text('メールのリンクに含まれる値', 'h2WbTcbSdvEqEbfmRS0obg');
/** Reversals can exceed earnings. */
const ANY = { minimum: undefined };
const day = (description: string) => text(`${description}（日本時間）`, '2026-12-01', { format: 'date' });
const monthly = (description: string, example: number) => {
  const form = { anyOf: [{ type: 'integer' }, { type: 'string', const: '-' }] };
  return { description: `${description}。月を指定しないときは -`, example, form };
};

/** What a member edits, in replies and in changes. */
const OWN = {
  ...PUBLIC_FIELDS,
  name_reading: text('ユーザー名の読み。かなで。空のことがある', 'かざみ'),
  name: text(PROFILE_LABELS.name, '見本 太郎'),
  furigana: text(PROFILE_LABELS.furigana, 'みほん たろう'),
  bank_name: text(PROFILE_LABELS.bank_name, '見本銀行'),
  branch_name: text(PROFILE_LABELS.branch_name, '中央支店'),
  deposit_type: text('預金種別。空のことがある', DEPOSIT_TYPES[0]),
  account_number: text(PROFILE_LABELS.account_number, '7654321'),
  phone_number: text(PROFILE_LABELS.phone_number, '090-0000-0000'),
  message_email: text('メッセージの宛先のメールアドレス。空のときは受け付けない', 'hanako@example.test'),
};

/** A member’s own profile, and the links of its mails. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'profile', title: 'プロフィール', position: 9 },
  calls: {
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
      refusals: { 400: LINK_REPLACED },
      isExtension: true,
    },
    'POST /api/account/confirm-message-email/': {
      id: 'confirmMessageEmail',
      summary: 'メッセージの宛先を確認する',
      description: FROM_MAIL,
      refusals: { 400: LINK_REPLACED },
      isExtension: true,
    },
    'POST /api/account/undo/describe/': {
      id: 'describeUndo',
      summary: '取り消せる変更の内容を見る',
      description: `${FROM_MAIL}何も変更しません。`,
      refusals: { 400: LINK_USED },
      isExtension: true,
    },
    'POST /api/account/undo/': {
      id: 'undoChange',
      summary: '変更を取り消す',
      description: `${FROM_MAIL}それより後の変更も取り消し、すべてのセッションを終え、パスワードを無効にします。アカウントの削除のメールのリンクでは、keeps_password に true を指定すると、削除だけを取り消します。`,
      refusals: { 400: LINK_USED },
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
  },
  components: {
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
    Profile: reply('本人が見るプロフィール', ProfileSchema, {
      id: text('会員のid', 'NNmoXW1bOQyBLwPN'),
      email: email('メールアドレス'),
      profile_picture: picture('プロフィール画像'),
      ...OWN,
      profile_background: picture('背景の画像'),
      personal_info_status: choice('本人確認の状態。空は未提出', PERSONAL_INFO_STATES, 'confirmed'),
      is_personal_info_verified: flag('本人確認が済んでいるかどうか'),
      is_verified: flag('クオリティチェックを通過したかどうか'),
      is_blocked: flag('制限されているかどうか', false),
      status: choice('クオリティチェックの申請の状態。pending は審査中', QUALITY_CHECK_STATES, ''),
      reward_balance: integer('送金を依頼できる残高（円）', 4_000, ANY),
      total_download_balance: integer('報酬の対象になったダウンロードの総数', 128, ANY),
      month_reward_balance: monthly('指定した月の報酬（円）', 120),
      month_total_download_balance: monthly('指定した月のダウンロードの数', 12),
      suspension_reason: text('利用停止の理由。そのあいだだけ送る', '利用規約に反する投稿がありました。'),
      is_staff: flag('運営のときだけ、true を送る'),
      pending_email: email('確認を待っている新しいメールアドレス。ないときは送らない'),
      pending_message_email: email('確認を待っている新しいメッセージの宛先。ないときは送らない'),
      payout_held_until: time('このときまで送金を依頼できない。振込先などの変更のあとだけ送る'),
      personal_info_submitted_at: time('本人確認書類を送った日時。送るまでは送らない'),
      personal_info_reason: text('本人確認が認められなかった理由。そのときだけ送る', '写真が不鮮明です。'),
      quality_check: part('いちばん新しいクオリティチェックの申請。申請するまでは送らない'),
      has_sounds: flag('クオリティチェックの合格が取り消され、サウンドが残っているときだけ、true を送る'),
      pending_reward: integer('まだ確定していない報酬（円）', 200, ANY),
      pending_days: integer('報酬が確定するまでの日数', 30),
      pending_release: part('報酬が確定する予定。予定がないときは送らない'),
      transfer_request: part('手続き中の送金。ないときは送らない'),
      last_transfer: part('いちばん新しい依頼。手続きが済んでいるときだけ送る'),
      months: part('この12か月の報酬。新しい順'),
      first_month: month('報酬のありうる最初の月'),
    }),
    ProfileChange: body('変更する項目', ProfileChangeSchema, {
      ...OWN,
      email: email('メールアドレス'),
      read: part('読んだときの値を、項目ごとに。いまの値と違うときは、何も変更せずに409を返す'),
    }),
    ReadProfileFields: body('項目を読んだときの値', ReadFieldsSchema, {
      ...OWN,
      email: email('メールアドレス'),
    }),
    QualityCheckState: reply('クオリティチェックの申請', QualityCheckStandingSchema, {
      submitted_at: time('申請した日時'),
      decided_at: time('判断した日時。それまでは送らない'),
      state: text('申請の状態', 'approved'),
      reason: text('認められなかった理由。そのときだけ送る', '音量が小さすぎます。'),
    }),
    PendingRelease: reply('報酬が確定する予定', PendingReleaseSchema, {
      until_last_month: integer('先月末までの報酬のうち、まだ確定していない額（円）', 150),
      next_on: day('次に確定する日'),
      next_amount: integer('その日に確定する額（円）', 12),
      last_on: day('いまあるすべての報酬が確定する日'),
    }),
    OpenTransfer: reply('手続き中の送金', OpenPayoutSchema, {
      amount: integer('金額（円）', 4_000),
      requested_at: time('依頼した日時'),
    }),
    MonthFigures: reply('1か月の報酬', MonthFiguresSchema, {
      month: month('月'),
      reward: integer('報酬（円）', 120, ANY),
      downloads: integer('報酬の対象になったダウンロードの数', 12, ANY),
    }),
    ProfilePicture: reply('新しいプロフィール画像', PictureChangedSchema, {
      profile_picture: picture('プロフィール画像'),
    }),
    ProfileBackground: reply('新しい背景の画像', BackgroundChangedSchema, {
      profile_background: picture('背景の画像'),
    }),
    AddressToken: body('メールアドレスの確認のリンク', confirmEmail.body, {
      token: TOKEN,
    }),
  },
};
