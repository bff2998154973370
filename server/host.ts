import { getRequestListener, RequestError } from '@hono/node-server';
import { createApi } from './app.ts';
import { identify } from './features/accounts/sessions.ts';
import { mayOpenConsole } from './features/accounts/console-cookie.ts';
import { requireStaffLogIn } from './features/accounts/recent-login.ts';
import { forgetChanged } from './features/artists/changes.ts';
import { startMailSender } from './features/mail/sender.ts';
import { toMailOrigin } from './features/mail/origin.ts';
import type { MailSender } from './features/mail/sender.ts';
import { createNoticesHandler } from './features/notices/notices.ts';
import { followAnnouncements } from './features/site/announcements.ts';
import { createMediaFiles } from './media-files.ts';
import { openHealth } from './health.ts';
import { createModules } from './features/feature.ts';
import { FEATURES } from './features.ts';
import { openPlatform } from './open-platform.ts';
import type { OpenedPlatform, PlatformOptions } from './open-platform.ts';
import { createChangeWriter, followChanges } from './platform/concurrency/page-changes.ts';
import { observeJobs } from './platform/concurrency/job-metrics.ts';
import { startScheduledJobs, startSiteJobs } from './platform/concurrency/scheduled-jobs.ts';
import type { ScheduledJobs } from './platform/concurrency/scheduled-jobs.ts';
import { listDatabaseMetrics } from './platform/database/drivers/metrics.ts';
import { randomId } from './platform/database/statements/random-id.ts';
import type { Database } from './platform/database/open.ts';
import { callInProcess } from './platform/http/route.ts';
import { createAdmissions, unlimitedAdmissions } from './platform/http/admissions.ts';
import { isSafeMethod } from './platform/http/guards.ts';
import { listScheduledJobs } from './platform/http/module.ts';
import type { Admissions } from './platform/http/admissions.ts';
import type { Platform } from './platform/http/context.ts';
import { openLog } from './platform/log.ts';
import type { LogOutput } from './platform/log.ts';
import { openMail } from './platform/mail/open.ts';
import type { MetricSource } from './platform/metrics.ts';
import { listStorageMetrics } from './platform/storage/metrics.ts';
import type { Storage } from './platform/storage/port.ts';
import { toLocalUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { findFreePort } from './web/free-port.ts';
import type { HandlerOptions } from './web/handler.ts';
import { createBucketReaders } from './web/bucket-readers.ts';
import type { MediaHandler } from './web/media.ts';
import type { PageCache } from './web/page-cache.ts';
import { toPublicSettings } from './web/public-settings.ts';
import { createReadiness } from './web/readiness.ts';
import { toSecurityHeaders } from './web/security-headers.ts';
import { BAD_REQUEST_TEXT, FAULT_TEXT } from './platform/http/reply-texts.ts';

type FetchCallback = Parameters<typeof getRequestListener>[0];

/** The process without its pages. */
export interface Host {
  readonly settings: Settings & { readonly siteUrl: string };
  readonly output: LogOutput;
  /** Null when another host serves the API: there is no local data then. */
  readonly data: { readonly database: Database; readonly storage: Storage } | null;
  readonly admissions: Admissions;
  /** For metrics: what waits in this process, and what the platform and the features report. */
  readonly api: {
    countWaitingReads(): number;
    countBackgroundJobs(): number;
    readonly metrics: readonly MetricSource[];
  };
  /** The context of every page. */
  readonly locals: App.PageEnv;
  readonly parts: Pick<
    HandlerOptions,
    | 'output'
    | 'security'
    | 'media'
    | 'notices'
    | 'missAdmission'
    | 'api'
    | 'trustedProxyHops'
    | 'checkReadiness'
    | 'mayOpenConsole'
  >;
  /** Connects the page cache, which drops pages after each change of the catalogue. */
  invalidatePagesOnChange(pages: PageCache): void;
  /** Starts the periodic tasks, and follows the changes of other processes. Call it once the process serves: a process that never does leaves no trace. */
  startScheduledJobs(): void;
  /** Stops background work. No call may be in progress. */
  close(): Promise<void>;
}

/** Options that are not settings, so that an operator cannot disable them by accident. */
export interface HostOptions extends PlatformOptions {
  /** See `DownloadsOptions`; true except in the demo. */
  readonly detectsOwnDownloads?: boolean;
}

/** Opens all resources that the settings name, and creates those that are missing on the first start. */
export async function openHost(
  settings: Settings,
  output: LogOutput = openLog(settings.logLevel),
  { detectsOwnDownloads = true, ...platformOptions }: HostOptions = {},
): Promise<Host> {
  const port = settings.port === 0 ? await findFreePort(settings.host) : settings.port;
  const siteUrl = settings.siteUrl ?? toLocalUrl(settings.host, port);
  const { trustedProxyHops } = settings;
  const cached = new Set<PageCache>();
  const admissions = settings.hasRateLimits ? createAdmissions(settings) : unlimitedAdmissions;
  const common = {
    settings: { ...settings, port, siteUrl },
    output,
    admissions,
    invalidatePagesOnChange: (pages: PageCache) => void cached.add(pages),
  };
  const replies = new Map<string, unknown>();
  const pageLocals = {
    replies,
    settings: toPublicSettings(settings, siteUrl),
    reportError: (err: unknown, id: string) => output.log.error({ id, err }, 'page rendering failed'),
    warn: (message: string) => output.log.warn(message),
  };
  const commonParts = {
    output,
    security: toSecurityHeaders(siteUrl),
    trustedProxyHops,
    missAdmission: admissions.misses,
  };
  if (settings.apiOrigin !== null) {
    return {
      ...common,
      data: null,
      api: { countWaitingReads: () => 0, countBackgroundJobs: () => 0, metrics: [] },
      locals: pageLocals,
      parts: {
        ...commonParts,
        media: undefined,
        notices: undefined,
        api: undefined,
        checkReadiness: createReadiness({}, output.log),
        mayOpenConsole: () => Promise.resolve(false),
      },
      startScheduledJobs: () => undefined,
      close: () => Promise.resolve(),
    };
  }

  const { webOrigin } = settings;
  const dropPages = (tags?: readonly string[]) => {
    // First: the pages must not be rendered again from before the change.
    opened.platform.database.replica?.noteChange();
    // Small replies, which are quickly read again: they need no tags.
    replies.clear();
    for (const pages of cached) pages.changed(tags);
  };
  const catalogueChanged = (tags?: readonly string[]) => {
    dropPages(tags);
    changes.announce(tags);
  };
  const opened: OpenedPlatform = await openPlatform(
    { ...settings, siteUrl },
    output.log,
    catalogueChanged,
    platformOptions,
  );
  const { diskSpace, signatures } = opened;
  const { database, storage, clock, backgroundJobs } = opened.platform;
  const processId = randomId();
  const changes = createChangeWriter(database, processId, output.log);
  const platform: Platform = {
    ...opened.platform,
    backgroundJobs: {
      ...backgroundJobs,
      // Background work of a call may have queued a mail as well.
      start: (work, delayMs) =>
        backgroundJobs.start((ending) => work(ending).finally(() => mailSender.wake()), delayMs),
    },
  };
  const featureHost = { settings, log: output.log, signatures, detectsOwnDownloads };
  const modules = await closeOnFailure(database, () =>
    createModules(FEATURES, (feature) => feature.openOptions?.(featureHost)),
  );
  const { reads: readAdmission } = admissions;
  const app = createApi(platform, modules, {
    identify: (token) => identify(platform, token),
    requireStaffLogIn: (caller, isRecent) => requireStaffLogIn(caller, isRecent, clock.now()),
    readAdmission,
  });
  const readers = settings.storage.kind === 's3' ? createBucketReaders(storage, settings) : undefined;
  const limitReaders = (serve: MediaHandler) => readers?.limit(serve) ?? serve;
  const health = openHealth(opened, settings, output.log);
  const mailSender = startMailSender({
    database,
    transport: openMail(settings.mail, toMailOrigin(settings, siteUrl, platform.sessionSecret), diskSpace),
    clock,
    log: output.log,
    retainMailsDays: settings.retainMailsDays,
  });
  const jobs = observeJobs(listScheduledJobs(platform, modules));
  let scheduledJobs: readonly ScheduledJobs[] | undefined;
  let ends: (() => void)[] | undefined;
  return {
    ...common,
    data: { database, storage },
    api: {
      countWaitingReads: () => readAdmission.countWaiting(),
      countBackgroundJobs: () => backgroundJobs.count(),
      metrics: [
        ...listDatabaseMetrics(database),
        ...listStorageMetrics(
          {
            dataDir: settings.dataDir,
            storage: settings.storage,
            backupDir: settings.backups?.folder ?? null,
          },
          diskSpace,
        ),
        jobs.source,
        ...modules.flatMap((module) => module.metrics?.(platform) ?? []),
      ],
    },
    locals: {
      ...pageLocals,
      fetchApi: callInProcess(app),
    },
    parts: {
      ...commonParts,
      media: limitReaders(createMediaFiles(settings, opened, { readers, drawing: admissions.drawings })),
      notices: limitReaders(createNoticesHandler({ ...platform, webOrigin })),
      api: toApiListener(wakeMailSenderAfterWrites(app.fetch, mailSender), output),
      mayOpenConsole: (cookies) => mayOpenConsole(platform, cookies),
      checkReadiness: health.checkReadiness,
    },
    startScheduledJobs() {
      ends ??= [
        followChanges(database, processId, (tags) => {
          forgetChanged(database, tags);
          dropPages(tags);
        }),
        followAnnouncements(opened.platform, dropPages),
        ...modules.flatMap((module) => module.start?.(platform) ?? []),
      ];
      // The process that this one replaces may have ended before it announced its last change.
      changes.announce();
      scheduledJobs ??= [
        startScheduledJobs(
          jobs.jobs.filter(({ isPerProcess }) => isPerProcess),
          output.log,
        ),
        startSiteJobs(
          database,
          jobs.jobs.filter(({ isPerProcess }) => !isPerProcess),
          output.log,
        ),
      ];
    },
    async close() {
      health.close();
      for (const end of ends ?? []) end();
      await backgroundJobs.close();
      for (const started of scheduledJobs ?? []) await started.close();
      await mailSender.close();
      await changes.close();
      await database.close();
    },
  };
}

/** Closes the database when the next step of the start fails. */
async function closeOnFailure<Result>(database: Database, work: () => Result): Promise<Awaited<Result>> {
  try {
    return await work();
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Mails queued by a call are sent as soon as the call is answered; all others wait for the next poll. */
function wakeMailSenderAfterWrites(fetchApi: FetchCallback, mailSender: MailSender): FetchCallback {
  return async (request, env) => {
    const response = await fetchApi(request, env);
    if (!isSafeMethod(request.method)) mailSender.wake();
    return response;
  };
}

function toApiListener(fetchApi: FetchCallback, { log }: LogOutput): NonNullable<HandlerOptions['api']> {
  const listener = getRequestListener(fetchApi, {
    overrideGlobalObjects: false,
    errorHandler(error) {
      if (error instanceof RequestError) return Response.json({ detail: BAD_REQUEST_TEXT }, { status: 400 });
      log.error({ err: error }, 'API handler failed');
      return Response.json({ detail: FAULT_TEXT }, { status: 500 });
    },
  });
  return (req, res) => listener(req, res);
}
