import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';

/**
 * Downloads (spec §4, §7). Spec §7 alone is `downloadSound` with `log`; that is all that another host is asked.
 * A host with the capability `download-intents` keeps intents: then a download begins
 * with one, and its id travels with `downloadSound`. What is credited to the artist our host decides alone.
 */

/** How long a visitor may take to watch. */
export const INTENT_MS_MAX = 60 * 60 * 1000;
/** How long a granted download can be repeated without another advertisement. */
export const GRANT_MS_MAX = 24 * 60 * 60 * 1000;

export const beginDownload = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/{id}/download-intents',
  reply: v.object({
    /** Not to be guessed; of this visitor and this sound. */
    id: v.string(),
    /** The visitor has been granted this sound within a day: no advertisement is shown again. */
    is_granted: v.boolean(),
  }),
  errors: {
    404: 'no sound has this id, or it is private and not the caller’s',
    429: 'too many downloads for one day, or too many begun at once',
  },
});

/**
 * Tells how the watching of a notice of our own goes, so that the host times it itself: `begin` when it is
 * seen, `rest` while the tab is hidden, `end` when it has been seen through. What else the visitor was watching
 * rests from a `begin` on.
 */
export const reportWatching = defineEndpoint({
  method: 'POST',
  path: '/api/download-intents/{id}/watching',
  body: v.object({
    state: v.picklist(['begin', 'rest', 'end']),
    notice: v.pipe(v.string(), v.maxLength(64)),
  }),
  reply: v.object({
    /** By the host's clock. */
    watched_ms: v.number(),
    /** 0: the host does not know this notice; the file comes, and nothing is credited. */
    needed_ms: v.number(),
  }),
  errors: { 404: 'no intent of this visitor has this id, or it is over', 429: 'too many calls' },
});

/**
 * Spec §7: `log=true` after a granted reward; the url is short-lived and for this sound alone. `intent` and
 * `provider` go to our host only. A call without an intent gives the file like any other, whatever `log` says,
 * and is neither counted for the sound nor credited to its artist: nothing shows what came before it; only the
 * cap on a day's downloads sees it. Completing an intent twice has the effect of once; one whose notice has not
 * been watched long enough is answered 409 and stays open. The query stands in `contract/download-queries.ts`.
 */
export const downloadSound = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/{id}/download',
  reply: v.object({ url: v.string() }),
  errors: {
    404: 'no sound has this id, or it is private and not the caller’s',
    409: 'the notice has not been watched long enough',
    429: 'too many downloads for one day',
  },
});
