import * as v from 'valibot';
import { NOTICE_SECONDS_MAX, NOTICE_SECONDS_MIN, NoticeSchema } from '../downloads/ads.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { cleanLine, requiredLine } from '../values/texts.ts';
import { parseUrl } from '../values/urls.ts';
import { OptionalMinuteSchema } from './minutes.ts';

/** The operator's notices before downloads, in the console. */

/** Of a picture, a video or its captions. */
export const NOTICE_FILE_BYTES_MAX = 64 * 1024 * 1024;
/** In code points. */
export const NOTICE_TEXT_LENGTH_MAX = 500;
/** More cannot be added. */
export const NOTICES_MAX = 100;
/** Of the files of all notices, with those removed in the last two hours. */
export const NOTICES_BYTES_MAX = 2 * 1024 ** 3;

const SECONDS = `表示する秒数は${NOTICE_SECONDS_MIN}から${NOTICE_SECONDS_MAX}までの数字で入力してください。`;

/** What the staff says about a notice. '' stands for no link, and no limit in time. */
const fields = {
  text: requiredLine('内容の説明', NOTICE_TEXT_LENGTH_MAX),
  link: v.pipe(
    v.string(),
    v.transform(cleanLine),
    v.maxLength(2_000, 'リンクは2000文字以内で入力してください。'),
    v.check(
      (link) => link === '' || (link.startsWith('https://') && parseUrl(link) !== null),
      'リンクは https:// で始まるURLを入力してください。',
    ),
  ),
  seconds: v.pipe(
    v.number(SECONDS),
    v.minValue(NOTICE_SECONDS_MIN, SECONDS),
    v.maxValue(NOTICE_SECONDS_MAX, SECONDS),
  ),
  from: OptionalMinuteSchema,
  until: OptionalMinuteSchema,
};

/** The text parts of the form that adds a notice. */
export const NoticeFieldsSchema = v.object(fields);
export type NoticeFields = v.InferOutput<typeof NoticeFieldsSchema>;

const position = {
  /** Of the list in which the notice was seen. */
  version: v.string(),
  /** Index in the list, from 0. */
  index: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
};

const ListedNoticeSchema = v.object({
  state: v.picklist(['shown', 'waiting', 'ended']),
  /** What visitors get. */
  notice: NoticeSchema,
  /** Minutes in Japan; '' for no limit. */
  from: v.string(),
  until: v.string(),
  /** Changes with what is said about the notice, wherever it is in the list. */
  version: v.string(),
});
export type ListedNotice = v.InferOutput<typeof ListedNoticeSchema>;

const NoticeListSchema = v.object({
  version: v.string(),
  results: v.array(ListedNoticeSchema),
  /** Whether notices are shown before downloads at all, which is a setting of the server. */
  is_used: v.boolean(),
});
export type NoticeListing = v.InferOutput<typeof NoticeListSchema>;

/** The list of notices; at most NOTICES_MAX of them. */
export const listNotices = defineEndpoint({
  method: 'GET',
  path: '/api/operator/notices/',
  reply: NoticeListSchema,
});

const changed = v.object({ version: v.string() });

/** Adds a notice at the end: a picture or a video, with captions for a video. The texts are those of `NoticeFields`. */
export const addNotice = defineEndpoint({
  method: 'POST',
  path: '/api/operator/notices/',
  form: {
    files: ['file', 'captions'],
    fileBytesMax: NOTICE_FILE_BYTES_MAX,
    texts: Object.keys(fields),
  },
  reply: changed,
  refuses: [400, 413, 507],
});

/** Changes what is said about a notice that is still at `version`; its file stays. */
export const changeNotice = defineEndpoint({
  method: 'POST',
  path: '/api/operator/notices/change/',
  body: v.object({ id: v.string(), version: v.string(), ...fields }),
  reply: changed,
  refuses: [400, 409],
});

/** Moves a notice to another position in the list. */
export const moveNotice = defineEndpoint({
  method: 'POST',
  path: '/api/operator/notices/move/',
  body: v.object({ ...position, to: position.index }),
  reply: changed,
  refuses: [409],
});

/** Removes a notice. Those who have begun to watch it may finish; its files are deleted later. */
export const removeNotice = defineEndpoint({
  method: 'POST',
  path: '/api/operator/notices/remove/',
  body: v.object(position),
  reply: changed,
  refuses: [409],
});
