import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastText } from '../calls/query-values.ts';
import { requiredLine, textField } from '../values/texts.ts';
import { toUseAddress } from './use-addresses.ts';
import { DoneSchema, IdSchema, type Read, TextSchema, extra, listOf } from '../calls/wire.ts';

/** Uses: works in which someone used a downloaded sound, as reported to its artist. Only extended hosts have these calls. */

/**
 * What became of a use. `waiting`: for its artist; `confirmed`: public; `hidden`: only the artist sees it; `reported`:
 * it waits for the staff.
 */
export const USE_STATES = ['waiting', 'confirmed', 'hidden', 'reported'] as const;
export type UseState = (typeof USE_STATES)[number];
/** What the artist can make of one. */
export const USE_DECISIONS = ['confirmed', 'hidden', 'reported'] as const;
export type UseDecision = (typeof USE_DECISIONS)[number];

export const USE_TITLE_LENGTH_MAX = 100;
export const USE_MESSAGE_LENGTH_MAX = 500;
export const USES_PER_CERTIFICATE_MAX = 3;
/** Public uses on a page, the newest. */
export const USES_SHOWN_MAX = 10;
export const OWN_USES_PAGE_SIZE = 50;

const ADDRESS_PROBLEM =
  '作品のページのURLを、https:// から入力してください。IPアドレスや、ユーザー名・ポート番号を含むURLは使えません。';

/** The address as it is stored; a reply with another one is dropped. */
const AddressSchema = v.pipe(
  v.string(),
  v.check((address) => toUseAddress(address) === address, ADDRESS_PROBLEM),
);

export const NewUseSchema = v.object({
  address: v.pipe(
    v.optional(v.string(ADDRESS_PROBLEM), ''),
    v.transform((text) => toUseAddress(text) ?? ''),
    v.nonEmpty(ADDRESS_PROBLEM),
  ),
  title: requiredLine('作品名', USE_TITLE_LENGTH_MAX),
  /** Only the artist sees it, and the staff if the artist reports the use. */
  message: v.optional(textField('ひとこと', USE_MESSAGE_LENGTH_MAX), ''),
});
export type NewUse = v.InferOutput<typeof NewUseSchema>;

/** Reports to the artist where a sound was used. Anyone who has the certificate of a download may do so. */
export const tellUse = defineEndpoint({
  method: 'POST',
  path: '/api/certificates/{id}/uses/',
  body: NewUseSchema,
  reply: DoneSchema,
  refuses: [400, 404, 409],
});

const shared = {
  id: IdSchema,
  address: AddressSchema,
  title: TextSchema,
  sound: IdSchema,
  sound_title: TextSchema,
};

/** A confirmed use of a public sound. */
export const UseSchema = v.object(shared);
export type Use = Read<typeof UseSchema>;

const NAME = v.optional(v.pipe(lastText, v.maxLength(200, '長すぎます。')));

/** The newest confirmed uses of a sound, or of all sounds of an artist; at most `USES_SHOWN_MAX`. */
export const listUses = defineEndpoint({
  method: 'GET',
  path: '/api/uses/',
  query: v.object({ sound: NAME, artist: NAME }),
  reply: v.object({ results: listOf(UseSchema) }),
  refuses: [400],
});

/** A use as the artist of the sound sees it. */
export const OwnUseSchema = v.object({
  ...shared,
  state: v.picklist(USE_STATES),
  message: TextSchema,
  /** ISO 8601, UTC. */
  created_at: v.string(),
});
export type OwnUse = Read<typeof OwnUseSchema>;

/** The uses of the caller's sounds in one state, newest first. */
export const listOwnUses = defineEndpoint({
  method: 'GET',
  path: '/api/account/uses/',
  query: v.object({
    state: v.optional(v.pipe(lastText, v.picklist(USE_STATES, '一覧の指定が正しくありません。'))),
    /** `next` of the page before. */
    cursor: v.optional(v.pipe(lastText, v.maxLength(60, 'ページの指定が正しくありません。'))),
  }),
  reply: v.object({
    results: listOf(OwnUseSchema),
    next: extra(v.nullable(v.string())),
    /** Whether new uses are mailed to the caller once a week. */
    is_mailed: extra(v.boolean()),
  }),
  refuses: [400],
});

const CHOICE = '使用報告を選んでください。';

/** Decides on uses of the caller's sounds. Those that are reported wait for the staff and stay as they are. */
export const decideUses = defineEndpoint({
  method: 'POST',
  path: '/api/account/use-decisions/',
  body: v.object({
    ids: v.pipe(
      v.array(v.pipe(v.string(CHOICE), v.maxLength(200, CHOICE)), CHOICE),
      v.minLength(1, CHOICE),
      v.maxLength(OWN_USES_PAGE_SIZE, `一度に選べる使用報告は${OWN_USES_PAGE_SIZE}件までです。`),
    ),
    state: v.picklist(USE_DECISIONS, '操作を選んでください。'),
  }),
  reply: DoneSchema,
  refuses: [400, 404, 409],
});

/** Turns the weekly mail about new uses on or off. */
export const setUseMails = defineEndpoint({
  method: 'POST',
  path: '/api/account/use-mails/',
  body: v.object({ is_mailed: v.boolean('true か false を指定してください。') }),
  reply: DoneSchema,
  refuses: [400],
});
