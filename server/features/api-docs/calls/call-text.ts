import type { RefusalStatus } from '../../../../contract/endpoint.ts';
import { integer, text } from '../field.ts';
import type { Field } from '../field.ts';

/** What the document says about a call beside its schemas. Texts are Japanese, for readers of `/api/docs`. */
export interface CallText {
  /** The name of the operation in generated clients; it never changes. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Why the call refuses a request, by status: the statuses that the contract lists for it. */
  readonly refusals?: Readonly<Partial<Record<RefusalStatus, string>>>;
  /** The call goes beyond spec §7. */
  readonly isExtension?: true;
  /** Placeholders, query parameters and parts of a form, by name. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** Headers that the call reads beside those of every call; none is required. */
  readonly headers?: Readonly<Record<string, Field>>;
}

/** Of calls that need a recent log-in. */
export const PASSWORD_FIRST =
  '15分以内にパスワードを確認していない場合は、403と code recent_login_required を返します。';
/** Of calls that carry the secret of a mail. */
export const FROM_MAIL = 'メールのリンクに含まれる値を送ります。';

/** Causes that several calls share. */
export const CAUSES = {
  blocked: 'アカウントが制限されている',
  diskFull: 'サーバーの保存容量が足りない',
  fileTooLarge: 'ファイルが大きすぎる',
  linkExpired: 'リンクが正しくないか、期限が切れている',
  linkReplaced: 'リンクが正しくない、使用済み、新しいものに替わった、または期限が切れている',
  linkUsed: 'リンクが正しくない、使用済み、または期限が切れている',
  noArtist: 'このユーザー名のアーティストはいない',
  noPage: 'ページ番号が正しくない',
  noPicture: 'ファイルがないか、受け付けられる画像ではない。項目名は本文に示す',
  noReport: 'リンクに当てはまる報告がない',
  noSound: 'このidのサウンドはないか、他人の非公開のサウンド',
  noUpload: '自分のアップロードに、このidのものはないか、期限が切れている',
  notOwnSound: '自分のサウンドに、このidのものはない',
  otherTus: 'tus の版が 1.0.0 ではない',
  passwordNeeded: 'パスワードの確認が必要',
  pictureTooLarge: '画像が大きすぎる',
  searchTooLong: '検索する言葉が長すぎる',
  tryLater: '混み合っている。Retry-After のあとに再試行する',
  uploadInUse: '別の通信で処理している',
  wrongField: '項目に誤りがある。項目名は本文に示す',
  wrongQuery: '条件の値が正しくない。項目名は本文に示す',
} as const;

export const ID_EXAMPLE = 'ZtKD74yLHGTP7uU0';
export const SOUND_ID = { id: text('サウンドのid', ID_EXAMPLE) };
export const TYPE = text('サウンドの種類のid', '1');
export const PAGE = integer('ページ番号（1から）', 1, { minimum: 1 });
