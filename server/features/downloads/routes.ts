import { DownloadQuerySchema } from '../../../contract/download-queries.ts';
import {
  beginDownload as beginDownloadCall,
  downloadSound,
  reportWatching as reportWatchingCall,
} from '../../../contract/downloads.ts';
import { notFound, serve } from '../../platform/http/http.ts';
import type { Api, Caller } from '../../platform/http/http.ts';
import { findSound } from '../catalogue/catalogue.ts';
import { admitVisitor, findVisitor, hashAddress } from '../visitors/visitors.ts';
import { completeDownload } from './completion.ts';
import { beginDownload, reportWatching } from './intents.ts';
import { WATCHING_REPORTS, limitCalls, toBeginLimits } from './limits.ts';
import type { DownloadsOptions } from './options.ts';
import { toDownloader } from './artist-traces.ts';

const INTENT_ID = /^[\w-]{1,64}$/;

export function serveDownloads(api: Api, options: DownloadsOptions): void {
  const deps = { ...api.platform, ...options };
  const { database, clock, rateLimits, siteUrl, fileUrls, downloadLimits } = deps;

  async function requireSound(soundId: string, caller: Caller | null) {
    const sound = await findSound(database, soundId, caller?.id ?? null);
    if (sound === undefined) throw notFound();
    return { id: sound.row.id, is_published: sound.row.is_published === 1 };
  }

  serve(api, beginDownloadCall, async ({ params, caller, address, context }) => {
    const hashes = await hashAddress(database, address, clock.now());
    await limitCalls(rateLimits, toBeginLimits(downloadLimits), findVisitor(context, siteUrl), hashes);
    const { id: soundId } = await requireSound(params.id, caller);
    const visitor = admitVisitor(context, deps, downloadLimits.repeatDays + 1);
    const call = { memberId: caller?.id ?? null, visitor, address: hashes };
    const { id, isGranted } = await beginDownload(deps, soundId, toDownloader(deps, context, call));
    return { id, is_granted: isGranted };
  });

  serve(api, reportWatchingCall, async ({ params, body, address, context }) => {
    const visitor = findVisitor(context, siteUrl);
    const hashes = await hashAddress(database, address, clock.now());
    await limitCalls(rateLimits, WATCHING_REPORTS, visitor, hashes);
    if (!INTENT_ID.test(params.id)) throw notFound();
    const { watchedMs, neededMs } = await reportWatching(deps, params.id, visitor, body);
    return { watched_ms: watchedMs, needed_ms: neededMs };
  });

  serve(
    api,
    { ...downloadSound, query: DownloadQuerySchema },
    async ({ params, query, caller, address, context }) => {
      const sound = await requireSound(params.id, caller);
      const { log: isLogged = false, intent: intentId, provider } = query;
      const visitor = findVisitor(context, siteUrl);
      const hashes = await hashAddress(database, address, clock.now());
      const call = { memberId: caller?.id ?? null, visitor, address: hashes };
      const downloader = toDownloader(deps, context, call);
      const request = { soundId: sound.id, intentId, isLogged, provider };
      const certificate = await completeDownload(deps, request, downloader);
      return { url: fileUrls.download(sound), ...(certificate !== null && { certificate }) };
    },
  );
}
