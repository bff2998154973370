import type { Capability } from '../../../contract/capabilities.ts';
import type { Field } from './field.ts';

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
