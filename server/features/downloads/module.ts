import { DownloadQuerySchema } from '../../../contract/downloads/download-queries.ts';
import * as calls from '../../../contract/downloads/downloads.ts';
import { byAddress, inService } from '../../platform/http/access.ts';
import { notFound } from '../../platform/http/problem.ts';
import { route, withDeps } from '../../platform/http/route.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { requireReadable } from '../../platform/storage/readable.ts';
import { findSound } from '../catalogue/service.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSecret } from '../../platform/crypto/secrets.ts';
import { createCertificateSigner } from '../certificates/signer.ts';
import { hasVisibleNotice, findNoticeSeconds } from '../notices/notices.ts';
import type { Feature } from '../feature.ts';
import { DOWNLOADS_ERASURE } from './erasure.ts';
import { DOWNLOADS_FILE } from './export.ts';
import { DOWNLOAD_CHECKS } from './checks.ts';
import { CREDIT_ROUTES } from './desk.ts';
import { admitVisitor, findVisitor } from '../visitors/visitor-cookie.ts';
import { forgetOldAddressKeys, hashAddress } from '../visitors/addresses.ts';
import { toDownloader } from './artist-traces.ts';
import { deleteOldDownloadData } from './cleanup.ts';
import { completeDownload } from './completion.ts';
import { beginDownload, reportWatching } from './intents.ts';
import { DOWNLOAD_CALLS, WATCHING_REPORTS, limitCalls, toBeginLimits } from './limits.ts';
import type { DownloadsOptions } from './options.ts';

/** The text that the page of the terms shows on a site without its own (src/texts/default-pages.ts). */
const MEMBER_TERMS = join(import.meta.dirname, '../../../src/texts/member-terms.md');

/** Downloads and their credits. */
export const downloadsFeature: Feature<DownloadsOptions> = {
  name: 'downloads',
  checks: DOWNLOAD_CHECKS,
  desk: CREDIT_ROUTES,
  queues: [{ name: 'credits', table: 'download_credits', states: ['held'], since: 'created_at' }],
  erasure: DOWNLOADS_ERASURE,
  exports: [DOWNLOADS_FILE],
  openOptions: ({ settings, detectsOwnDownloads }) => ({
    downloadLimits: settings.downloadLimits,
    adProviders: settings.adProviders,
    notices: { findSeconds: findNoticeSeconds, hasVisibleNotice: hasVisibleNotice },
    rewardYenPerDownload: settings.rewardYenPerDownload,
    detectsOwnDownloads,
    signer: createCertificateSigner(openSecret(settings, 'certificates')),
    memberTerms: { title: '会員規約', body: readFileSync(MEMBER_TERMS, 'utf8') },
  }),
  apiTexts: () => import('./api-texts.ts'),
  createModule: (options) => ({
    routes: withDeps((platform) => ({ ...platform, ...options }), toRoutes(options)),
    scheduledJobs: (platform) => [
      {
        name: 'old keys of addresses in memory',
        isPerProcess: true,
        run: async () => forgetOldAddressKeys(platform.database, platform.clock.now()),
      },
      { name: 'expired download records', run: () => deleteOldDownloadData({ ...platform, ...options }) },
    ],
  }),
};

const INTENT_ID = /^[\w-]{1,64}$/;

type DownloadDeps = Platform & DownloadsOptions;

/** The rules depend on the limits of the settings. */
function toRoutes({
  downloadLimits,
}: Pick<DownloadsOptions, 'downloadLimits'>): readonly Route<DownloadDeps>[] {
  const beginLimits = toBeginLimits(downloadLimits);
  return [
    route(
      calls.beginDownload,
      {
        caller: 'anyone',
        owner: 'own or public',
        limits: [inService('browser', beginLimits.byVisitor), inService('address', beginLimits.byAddress)],
      },
      async ({ params, caller, address, context }, deps) => {
        const { database, clock, rateLimits, siteUrl } = deps;
        await limitCalls(rateLimits, beginLimits, findVisitor(context, siteUrl), address);
        const hashes = await hashAddress(database, address, clock.now());
        const { id: soundId } = await requireSound(deps, params.id, caller);
        const visitor = admitVisitor(context, deps, downloadLimits.repeatDays + 1);
        const call = { memberId: caller?.id ?? null, visitor, address: hashes };
        const { id, isGranted } = await beginDownload(deps, soundId, toDownloader(deps, context, call));
        return { id, is_granted: isGranted };
      },
    ),

    route(
      calls.reportWatching,
      {
        caller: 'anyone',
        owner: 'secret',
        limits: [
          inService('browser', WATCHING_REPORTS.byVisitor),
          inService('address', WATCHING_REPORTS.byAddress),
        ],
      },
      async ({ params, body, address, context }, deps) => {
        const { rateLimits, siteUrl } = deps;
        const visitor = findVisitor(context, siteUrl);
        await limitCalls(rateLimits, WATCHING_REPORTS, visitor, address);
        if (!INTENT_ID.test(params.id)) throw notFound();
        const { watchedMs, neededMs } = await reportWatching(deps, params.id, visitor, body);
        return { watched_ms: watchedMs, needed_ms: neededMs };
      },
    ),

    route(
      { ...calls.downloadSound, query: DownloadQuerySchema },
      { caller: 'anyone', owner: 'own or public', limits: [byAddress(DOWNLOAD_CALLS)] },
      async ({ params, query, caller, address, context }, deps) => {
        const { database, storage, clock, siteUrl, fileUrls } = deps;
        const sound = await requireSound(deps, params.id, caller);
        const { log: isLogged = false, intent: intentId, provider } = query;
        const visitor = findVisitor(context, siteUrl);
        const hashes = await hashAddress(database, address, clock.now());
        const call = { memberId: caller?.id ?? null, visitor, address: hashes };
        const downloader = toDownloader(deps, context, call);
        const request = { soundId: sound.id, intentId, isLogged, provider };
        await requireReadable(storage, toSoundKey(sound.audio_key), sound.audio_size);
        const certificate = await completeDownload(deps, request, downloader);
        return { url: fileUrls.download(sound), ...(certificate !== null && { certificate }) };
      },
    ),
  ];
}

async function requireSound({ database }: Platform, soundId: string, caller: Caller | null) {
  const sound = await findSound(database, soundId, caller?.id ?? null);
  if (sound === undefined) throw notFound();
  const { id, is_published, audio_key, audio_size } = sound.row;
  return { id, is_published: is_published === 1, audio_key, audio_size };
}
