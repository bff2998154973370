import * as v from 'valibot';

/** The providers of the advertisement before a download, tried in the operator's order. */
export const AD_PROVIDER_NAMES = ['house', 'gpt', 'none'] as const;
export type AdProviderName = (typeof AD_PROVIDER_NAMES)[number];

/** Limits of the required viewing time of the operator's own notices, in seconds. */
export const NOTICE_SECONDS_MIN = 5;
export const NOTICE_SECONDS_MAX = 30;

/**
 * The operator's own picture or short video, as `GET /notice/next` of the API host returns it. The address contains no
 * word that ad blockers look for.
 */
export const NoticeSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/)),
  kind: v.picklist(['picture', 'video']),
  /** A path of the API host that begins with `/notice/`. */
  url: v.pipe(v.string(), v.startsWith('/notice/')),
  /** Text alternative for people who cannot see the notice. */
  text: v.string(),
  /** Path of a video's WebVTT captions; null for a video without speech. */
  captions: v.nullable(v.pipe(v.string(), v.startsWith('/notice/'))),
  /** The https target of a click; null: none. */
  link: v.nullable(v.pipe(v.string(), v.startsWith('https://'))),
  seconds: v.pipe(v.number(), v.minValue(NOTICE_SECONDS_MIN), v.maxValue(NOTICE_SECONDS_MAX)),
});
export type Notice = v.InferOutput<typeof NoticeSchema>;

/** The reply of an extended host; null: the operator has none. */
export const NEXT_NOTICE_PATH = '/notice/next';
export const NextNoticeSchema = v.object({ notice: v.nullable(NoticeSchema) });
