import type { RefusalStatus } from '../../../contract/calls/endpoint.ts';
import type { DeclaredCall, DeclaredLimit, Rule } from '../../platform/http/access.ts';
import { integer, text } from './field.ts';
import type { Component, Field } from './field.ts';

/** What a feature says about its public calls, in its `api-texts.ts`. */
export interface ApiTexts {
  readonly area: Area;
  /** By method and path. */
  readonly calls: Readonly<Record<string, CallText>>;
  /** Every object of requests and replies, by the name that generated clients give it; names never change. */
  readonly components?: Readonly<Record<string, Component>>;
  /** Calls that are served beside the API, without a rule. */
  readonly callsWithoutRule?: readonly DescribedCall[];
}

/** A part of the document: a tag, and its name for readers. */
interface Area {
  /** Names classes and modules of generated clients; it never changes. */
  readonly tag: string;
  readonly title: string;
  /** On the page, counted from 1. */
  readonly position: number;
}

/** What the document reads of a route. */
export type DescribedCall = DeclaredCall &
  Pick<Rule, 'caller'> & { readonly limits: readonly DeclaredLimit[] };

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
  /** Set if the reply is not JSON of the contract. */
  readonly raw?: RawCall;
}

/** The parts of an operation that its schemas do not give. */
interface RawCall {
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
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
  noArtist: 'このユーザー名のアーティストはいない',
  noPage: 'ページ番号が正しくない',
  noPicture: 'ファイルがないか、受け付けられる画像ではない。項目名は本文に示す',
  noSound: 'このidのサウンドはないか、他人の非公開のサウンド',
  notOwnSound: '自分のサウンドに、このidのものはない',
  passwordNeeded: 'パスワードの確認が必要',
  pictureTooLarge: '画像が大きすぎる',
  wrongField: '項目に誤りがある。項目名は本文に示す',
  wrongQuery: '条件の値が正しくない。項目名は本文に示す',
} as const;

export const ID_EXAMPLE = 'ZtKD74yLHGTP7uU0';
export const SOUND_ID = { id: text('サウンドのid', ID_EXAMPLE) };
export const TYPE = text('サウンドの種類のid', '1');
export const PAGE = integer('ページ番号（1から）', 1, { minimum: 1 });
