import type { Capability } from '../../../../contract/capabilities.ts';
import { integer, text } from '../field.ts';
import type { Field } from '../field.ts';

/** What the document says about a call beside its schemas. Texts are Japanese, for readers of `/api/docs`. */
export interface CallText {
  /** The name of the operation in generated clients; it never changes. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The call goes beyond spec §7: the capability by which a host announces it, or true if it belongs to another one.
   */
  readonly extension?: Capability | true;
  /** Placeholders, query parameters and parts of a form, by name. */
  readonly fields?: Readonly<Record<string, Field>>;
}

/** Of calls that need a recent log-in. */
export const PASSWORD_FIRST =
  '15分以内にパスワードを確認していない場合は、403と code recent_login_required を返します。';
/** Of calls that carry the secret of a mail. */
export const FROM_MAIL = 'メールのリンクに含まれる値を送ります。';

export const ID_EXAMPLE = 'ZtKD74yLHGTP7uU0';
export const SOUND_ID = { id: text('サウンドのid', ID_EXAMPLE) };
export const TYPE = text('サウンドの種類のid', '1');
export const PAGE = integer('ページ番号（1から）', 1, { minimum: 1 });
