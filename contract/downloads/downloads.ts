import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';

/**
 * Downloads (spec §4, §7). Spec §7 only defines `downloadSound` with `log`, and the client sends nothing else to other
 * hosts. On an extended host, a download starts with an intent whose id is sent with `downloadSound`. Our host alone
 * decides what is credited to the artist.
 */

/** How long a visitor may take to watch the advertisement. */
export const INTENT_MS_MAX = 60 * 60 * 1000;
/** How long a granted download can be repeated without another advertisement. */
export const GRANT_MS_MAX = 24 * 60 * 60 * 1000;

export const beginDownload = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/{id}/download-intents',
  reply: v.object({
    /** Unguessable; valid for this visitor and this sound. */
    id: v.string(),
    /** The visitor was granted this sound within the last 24 hours, so no advertisement is shown. */
    is_granted: v.boolean(),
  }),
  refuses: [404],
});

/**
 * Reports the viewing of one of our own notices, so that the host measures the time itself: `begin` when it becomes
 * visible, `rest` while the tab is hidden, `end` when it has been watched. A `begin` pauses the visitor's other
 * intents.
 */
export const reportWatching = defineEndpoint({
  method: 'POST',
  path: '/api/download-intents/{id}/watching',
  body: v.object({
    state: v.picklist(['begin', 'rest', 'end']),
    notice: v.pipe(v.string(), v.maxLength(64)),
  }),
  reply: v.object({
    /** Measured by the host's clock. */
    watched_ms: v.number(),
    /** 0: the host does not know this notice; the file is sent and nothing is credited. */
    needed_ms: v.number(),
  }),
  refuses: [404],
});

/**
 * Spec §7: `log=true` after a granted reward; the URL is short-lived and valid for this sound only. `intent` and
 * `provider` are only sent to our host. A call without an intent returns the file whatever `log` says. It adds to the
 * daily download cap but is neither counted for the sound nor credited to its artist, because nothing proves what
 * preceded it. Completing an intent twice has the effect of completing it once. An intent whose notice was not watched
 * long enough is answered with 409 and stays open. The query is defined in `contract/downloads/download-queries.ts`.
 */
export const downloadSound = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/{id}/download',
  reply: v.object({
    url: v.string(),
    /** The id of the download's certificate, if the host gives one (contract/downloads/certificates.ts). */
    certificate: v.optional(v.string()),
  }),
  refuses: [404, 409],
});
