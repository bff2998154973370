import { PROFILE_LABELS, PROFILE_NAMES } from '../../../contract/accounts/profile-fields.ts';
import type { PersonalInfoStatus, Db } from './tables.ts';
import { EXPORT_ROWS_MAX, memberFile, toTimeCell } from '../member-export.ts';
import type { MemberFile } from '../member-export.ts';

export const ACCOUNTS_FILES: readonly MemberFile[] = [
  memberFile(10, 'プロフィール', readProfile, [
    ['項目', ([label]) => label],
    ['内容', ([, content]) => content],
  ]),
  memberFile(90, 'ログイン中の端末', selectSessions, [
    ['ログインした日時', ({ created_at }) => toTimeCell(created_at)],
    ['パスワードを入力した日時', ({ authenticated_at }) => toTimeCell(authenticated_at)],
    ['最後に使った日時', ({ rotated_at }) => toTimeCell(rotated_at)],
    ['有効期限', ({ expires_at }) => toTimeCell(expires_at)],
    ['端末', ({ device }) => device],
    ['ネットワーク', ({ network }) => network],
  ]),
];

const PERSONAL_INFO_STATES: Readonly<Record<PersonalInfoStatus, string>> = {
  '': '未提出',
  pending: '審査中',
  confirmed: '承認',
  rejected: '不承認',
};

/** The secret of the second factor is in no export. */
async function readProfile(
  db: Db,
  userId: string,
): Promise<readonly (readonly [label: string, content: string])[]> {
  const owner = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (owner === undefined) return [];
  const factor = await db
    .selectFrom('second_factors')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  const formerNames = await db
    .selectFrom('former_usernames')
    .select(['username_key', 'since'])
    .where('user_id', '=', userId)
    .orderBy('since', 'desc')
    .execute();
  return [
    ...PROFILE_NAMES.map((field) => [PROFILE_LABELS[field], owner[field]] as const),
    ['登録した日時', toTimeCell(owner.created_at)],
    ['クオリティチェック', owner.is_verified === 1 ? '完了' : '未完了'],
    ['本人確認', PERSONAL_INFO_STATES[owner.personal_info_status]],
    ...(factor ? [['2段階認証', `${toTimeCell(factor.created_at)}に設定`] as const] : []),
    ...formerNames.map(
      ({ username_key, since }) =>
        ['以前のユーザー名', `${username_key}（${toTimeCell(since)}まで）`] as const,
    ),
  ];
}

function selectSessions(db: Db, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['created_at', 'authenticated_at', 'rotated_at', 'expires_at', 'device', 'network'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(EXPORT_ROWS_MAX)
    .execute();
}
