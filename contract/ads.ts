import * as v from 'valibot';

/** Who shows the advertisement before a download; tried in the operator's order. */
export const AD_PROVIDER_NAMES = ['house', 'gpt', 'none'] as const;
export type AdProviderName = (typeof AD_PROVIDER_NAMES)[number];

/** How long the operator's own notices have to be watched, in seconds. */
export const NOTICE_SECONDS_MIN = 5;
export const NOTICE_SECONDS_MAX = 30;

/**
 * The operator's own picture or short video, as `GET /notice/next` of the web host gives it. Nothing in the
 * address is a word that blockers look for.
 */
export const NoticeSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/)),
  kind: v.picklist(['picture', 'video']),
  /** A path of the web host, beginning with `/notice/`. */
  url: v.pipe(v.string(), v.startsWith('/notice/')),
  /** What is to be seen, for those who do not see it. */
  text: v.string(),
  /** WebVTT of a video, as a path; null where nothing is said. */
  captions: v.nullable(v.pipe(v.string(), v.startsWith('/notice/'))),
  /** Where a press leads, https; null: nowhere. */
  link: v.nullable(v.pipe(v.string(), v.startsWith('https://'))),
  seconds: v.pipe(v.number(), v.minValue(NOTICE_SECONDS_MIN), v.maxValue(NOTICE_SECONDS_MAX)),
});
export type Notice = v.InferOutput<typeof NoticeSchema>;

/** The web host's answer; null: the operator has none. */
export const NEXT_NOTICE_PATH = '/notice/next';
export const NextNoticeSchema = v.object({ notice: v.nullable(NoticeSchema) });
