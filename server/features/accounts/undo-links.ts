import type { ProfileField } from '../../../contract/accounts/profile-fields.ts';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Part, Sender } from '../mail/layout.ts';
import { hashToken, makeToken } from './tokens.ts';
import type { Db } from './tables.ts';

/** Long enough for an owner who reads mail once a week. */
const UNDO_MS = 7 * DAY_MS;

/** The profile values that a link restores, by column. */
export type PreviousValues = Readonly<Partial<Record<ProfileField, string>>>;

/** Before the link of a mail. */
const IF_UNKNOWN =
  '心当たりがない場合は、次のリンクを開いて取り消してください。変更前の内容に戻り、すべての端末からログアウトされ、パスワードの再設定をご案内します。';

/** When something was changed and from what kind of device (`describeDevice`). */
export interface ChangeContext {
  readonly nowMs: number;
  readonly device: string;
  /** For sounds: the id of the mail, and when it is sent. */
  readonly mailId?: string;
  readonly mailedAt?: number;
}

/**
 * Creates a link that undoes a change, in the transaction of that change. It is valid once and for 7 days. Returns the
 * last paragraphs of the mail about the change: when, from where, and how to undo it; `advice` says who should.
 */
export async function addUndoLink(
  transaction: Db,
  { siteUrl }: Pick<Sender, 'siteUrl'>,
  userId: string,
  before: PreviousValues,
  { nowMs, device, mailId, mailedAt }: ChangeContext,
  advice = IF_UNKNOWN,
): Promise<Part[]> {
  const token = makeToken();
  await transaction
    .insertInto('undo_links')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      before: JSON.stringify(before),
      mail_id: mailId ?? null,
      mailed_at: mailedAt ?? null,
      created_at: nowMs,
      expires_at: nowMs + UNDO_MS,
    })
    .execute();
  return [
    `日時: ${formatDateTime(nowMs)}（日本時間）\n端末: ${device}`,
    {
      label: `${advice}リンクは7日間、1回だけ有効です。`,
      url: `${siteUrl}/undo?${new URLSearchParams({ token }).toString()}`,
    },
  ];
}

/** The link of a token. Throws `Problem` 400 for a wrong, used or expired one. */
export async function getUndoLink(db: Db, token: string, nowMs: number) {
  const link = await db
    .selectFrom('undo_links')
    .select(['user_id', 'created_at', 'mail_id', 'mailed_at'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  if (link === undefined) throw wrongUndoLink();
  return link;
}

export function wrongUndoLink(): Problem {
  return new Problem(
    400,
    'リンクが正しくないか、使用済みか、有効期限が切れています。心当たりのない変更がまだ残っている場合は、お問い合わせください。',
  );
}

/** A member's newest link of a mail about sounds. */
export function findSoundsLink(db: Db, userId: string) {
  return db
    .selectFrom('undo_links')
    .select(['token_hash', 'mail_id', 'created_at', 'mailed_at'])
    .where('user_id', '=', userId)
    .where('mail_id', 'is not', null)
    .$narrowType<{ mail_id: string }>()
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function deleteUndoLink(db: Db, token_hash: string): Promise<void> {
  await db.deleteFrom('undo_links').where('token_hash', '=', token_hash).execute();
}

/** The combined values that the links of a member's changes since a time restore. */
export async function readUndo(db: Db, userId: string, sinceMs: number): Promise<PreviousValues> {
  const rows = await db
    .selectFrom('undo_links')
    .select('before')
    .where('user_id', '=', userId)
    .where('created_at', '>=', sinceMs)
    .orderBy('created_at', 'desc')
    .execute();
  // The oldest is applied last: its values precede all other changes.
  return Object.assign(
    {},
    ...rows.map(({ before }) => JSON.parse(before) as PreviousValues),
  ) as PreviousValues;
}

/** Consumes the links of a member's changes since a time. */
export async function deleteUndoLinks(db: Db, userId: string, sinceMs: number): Promise<void> {
  await db
    .deleteFrom('undo_links')
    .where('user_id', '=', userId)
    .where('created_at', '>=', sinceMs)
    .execute();
}
