import * as v from 'valibot';
import { AD_PROVIDER_NAMES } from './ads.ts';
import { lastText } from '../calls/query-values.ts';
import { lastFlag } from '../sounds/sound-queries.ts';

/** The query of `downloadSound` as a host reads it from a URL. Separate for the same reason as `sound-queries.ts`. */
export const DownloadQuerySchema = v.object({
  /** Whether an advertisement granted the download (spec §7). */
  log: v.optional(lastFlag),
  intent: v.optional(v.pipe(lastText, v.regex(/^[\w-]{1,64}$/, 'idの形式が正しくありません。'))),
  provider: v.optional(v.pipe(lastText, v.picklist(AD_PROVIDER_NAMES))),
});
