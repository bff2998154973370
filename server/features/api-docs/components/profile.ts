import { ArtistCardSchema, ArtistSchema } from '../../../../contract/artists.ts';
import { DEPOSIT_TYPES } from '../../../../contract/profile-fields.ts';
import {
  BackgroundChangedSchema,
  MonthFiguresSchema,
  OpenTransferSchema,
  PendingReleaseSchema,
  PersonalInfoAcceptedSchema,
  PictureChangedSchema,
  ProfileChangeSchema,
  ReadFieldsSchema,
  ProfileSchema,
  QualityCheckStandingSchema,
  confirmEmail,
} from '../../../../contract/profile.ts';
import { ApplicationAcceptedSchema } from '../../../../contract/quality-check.ts';
import { body, choice, email, flag, integer, month, part, picture, reply, text, time } from '../field.ts';
import { ACCOUNT_COMPONENTS } from './accounts.ts';

const SESSION_USER = ACCOUNT_COMPONENTS.SessionUser.fields;
/** Reversals can exceed earnings. */
const ANY = { minimum: undefined };
const PERSONAL_INFO_STATES = ['', 'pending', 'confirmed', 'rejected'];
const QUALITY_CHECK_STATES = ['', 'pending'];
const day = (description: string) => text(`${description}（日本時間）`, '2026-12-01', { format: 'date' });
const monthly = (description: string, example: number) => {
  const form = { anyOf: [{ type: 'integer' }, { type: 'string', const: '-' }] };
  return { description: `${description}。月を指定しないときは -`, example, form };
};

/** What a member edits, in replies and in changes. */
const OWN = {
  username: text('ユーザー名', 'kazami'),
  name_reading: text('ユーザー名の読み。かなで。空のことがある', 'かざみ'),
  bio: text('自己紹介', '環境音を録っています。'),
  name: text('氏名', '見本 太郎'),
  furigana: text('ふりがな', 'みほん たろう'),
  bank_name: text('金融機関名', '見本銀行'),
  branch_name: text('支店名', '中央支店'),
  deposit_type: text('預金種別。空のことがある', DEPOSIT_TYPES[0]),
  account_number: text('口座番号', '7654321'),
  phone_number: text('電話番号', '090-0000-0000'),
  message_email: text('メッセージの宛先のメールアドレス。空のときは受け付けない', 'hanako@example.test'),
  donation_url: text('支援のページのアドレス。空のことがある', 'https://ofuse.me/kazami', {
    format: 'uri-reference',
  }),
};

/** Members as they see themselves and as others see them. */
export const PROFILE_COMPONENTS = {
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
  OpenTransfer: reply('手続き中の送金', OpenTransferSchema, {
    amount: integer('金額（円）', 4_000),
    requested_at: time('依頼した日時'),
  }),
  MonthFigures: reply('1か月の報酬', MonthFiguresSchema, {
    month: month('月'),
    reward: integer('報酬（円）', 120, ANY),
    downloads: integer('報酬の対象になったダウンロードの数', 12, ANY),
  }),
  ProfilePicture: reply('新しいプロフィール画像', PictureChangedSchema, {
    profile_picture: SESSION_USER['profile_picture'] ?? picture('プロフィール画像'),
  }),
  ProfileBackground: reply('新しい背景の画像', BackgroundChangedSchema, {
    profile_background: picture('背景の画像'),
  }),
  AddressToken: body('メールアドレスの確認のリンク', confirmEmail.body, {
    token: text('メールのリンクに含まれる値', 'h2WbTcbSdvEqEbfmRS0obg'),
  }),
  PersonalInfoAccepted: reply('受け付けた本人確認書類', PersonalInfoAcceptedSchema, {
    detail: text('結果を示す文', '本人確認書類を受け付けました。'),
    personal_info_status: choice('本人確認の状態', PERSONAL_INFO_STATES, 'pending'),
  }),
  ApplicationAccepted: reply('受け付けたクオリティチェックの申請', ApplicationAcceptedSchema, {
    detail: text('結果を示す文', 'クオリティチェックの申請を受け付けました。'),
    status: choice('申請の状態', QUALITY_CHECK_STATES, 'pending'),
  }),
  Artist: reply('公開プロフィール', ArtistSchema, {
    id: text('会員のid', 'NNmoXW1bOQyBLwPN'),
    username: OWN.username,
    bio: OWN.bio,
    profile_picture: picture('プロフィール画像'),
    profile_background: picture('背景の画像'),
    message_email: text('メッセージの宛先（伏せ字）。空のときは受け付けない', '•••@…'),
    donation_url: OWN.donation_url,
    sound_count: integer('公開中のサウンドの数', 12),
    total_download_balance: integer('ダウンロードの総数。このホストは送らない', 128),
    joined_at: time('登録した日時'),
    share_picture_url: text(
      'リンクを共有するときの画像（1200×630）',
      '/media/share/artist/kazami/k3Jx9_.jpg',
      {
        format: 'uri-reference',
      },
    ),
  }),
  ArtistCard: reply('注目のアーティスト', ArtistCardSchema, {
    username: OWN.username,
    bio: OWN.bio,
    profile_picture: picture('プロフィール画像'),
    sound_count: integer('公開中のサウンドの数', 12),
  }),
};
