import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { AUDIENCES } from '../site/site.ts';
import { cleanLine, requiredLine } from '../values/texts.ts';
import { isSiteLink } from '../values/urls.ts';
import { MinuteSchema } from './minutes.ts';

/** Announcements to all visitors or to members, in the console. Times in replies are epoch ms. */

/** In code points: two to four lines on a phone. */
export const ANNOUNCEMENT_LENGTH_MAX = 200;
/** More cannot be added, past ones included. */
export const ANNOUNCEMENTS_MAX = 100;
const LINK_LENGTH_MAX = 2_000;

const fields = {
  text: requiredLine('文章', ANNOUNCEMENT_LENGTH_MAX),
  /** '' for none. */
  link: v.pipe(
    v.string('リンクを文字で入力してください。'),
    v.transform(cleanLine),
    v.maxLength(LINK_LENGTH_MAX, `リンクは${LINK_LENGTH_MAX}文字以内で入力してください。`),
    v.check(
      (link) => link === '' || isSiteLink(link),
      'リンクは / で始まるこのサイトのページか、https:// で始まるURLを入力してください。',
    ),
  ),
  audience: v.picklist(AUDIENCES, '表示する相手を選んでください。'),
  /** Minutes in Japan. */
  begins: MinuteSchema,
  ends: MinuteSchema,
};
const FieldsSchema = v.object(fields);
export type AnnouncementFields = v.InferOutput<typeof FieldsSchema>;

const version = { updated_at: v.pipe(v.number(), v.safeInteger()) };

const ListedAnnouncementSchema = v.object({
  id: v.string(),
  state: v.picklist(['current', 'planned', 'past']),
  text: v.string(),
  link: v.string(),
  audience: v.picklist(AUDIENCES),
  begins_at: v.number(),
  ends_at: v.number(),
  updated_at: v.number(),
});
export type ListedAnnouncement = v.InferOutput<typeof ListedAnnouncementSchema>;

/** All of them, the latest beginning first. */
export const listAnnouncements = defineEndpoint({
  method: 'GET',
  path: '/api/operator/announcements/',
  reply: v.object({ results: v.array(ListedAnnouncementSchema) }),
});

export const addAnnouncement = defineEndpoint({
  method: 'POST',
  path: '/api/operator/announcements/',
  body: FieldsSchema,
  reply: v.object({ id: v.string() }),
  refuses: [400],
});

/** The following calls need the version in which the announcement was seen. Visitors who dismissed it see it again. */
export const changeAnnouncement = defineEndpoint({
  method: 'POST',
  path: '/api/operator/announcements/{id}/',
  body: v.object({ ...fields, ...version }),
  reply: v.object({ id: v.string() }),
  refuses: [400, 409],
});

/** Ends a current announcement now. */
export const endAnnouncement = defineEndpoint({
  method: 'POST',
  path: '/api/operator/announcements/{id}/end/',
  body: v.object(version),
  reply: v.object({ state: v.literal('past') }),
  refuses: [409],
});

export const removeAnnouncement = defineEndpoint({
  method: 'POST',
  path: '/api/operator/announcements/{id}/remove/',
  body: v.object(version),
  reply: v.object({ state: v.literal('removed') }),
  refuses: [409],
});
