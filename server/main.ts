import { join } from 'node:path';
import { toPageTarget } from '../src/render/page-targets.ts';
import { DIST_DIR } from './build.ts';
import { openHost } from './host.ts';
import type { Host, HostOptions } from './host.ts';
import { isId } from './platform/database/statements/random-id.ts';
import { collectWhenIdle } from './platform/idle-memory.ts';
import { endProcess, openLog } from './platform/log.ts';
import type { LogOutput } from './platform/log.ts';
import { readVersion } from './platform/version.ts';
import type { Admission } from './platform/limits/admission.ts';
import type { Metrics } from './metrics.ts';
import { toLocalUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { createParts } from '../contract/site/page-parts.ts';
import { loadPages } from './web/load-pages.ts';
import { toRenderPage } from './web/rendering.ts';
import { createHandler } from './web/handler.ts';
import { createHostCheck } from './web/hosts.ts';
import { listen } from './web/listen.ts';
import { createPageCache } from './web/page-cache.ts';
import type { PageCacheOptions } from './web/page-cache.ts';
import { toPage } from './web/pages.ts';
import type { MetricsListening } from './web/metrics/listener.ts';
import type { RenderPage } from './web/page-response.ts';
import { readSiteState, toStateMetrics } from './site-state.ts';
import { loadStaticFiles } from './web/static.ts';
import type { StaticFiles } from './web/static.ts';

export interface StartOverrides extends HostOptions {
  /** The folder of the built pages. */
  readonly distDir?: string;
  readonly render?: RenderPage;
  /** For pages other than those of src/pages. */
  readonly toPageKey?: PageCacheOptions['toKey'];
  readonly output?: LogOutput;
  /** In a worker, which shares the port with others, and ends when its primary says so. */
  readonly isWorker?: boolean;
}

export interface RunningServer {
  /** The address it listens on. */
  readonly url: string;
  readonly host: Host;
  /** Drains connections, then releases all resources. */
  close(): Promise<void>;
}

/** Draining takes ten seconds at most; the rest is for what the features finish. Process managers wait for a minute. */
const STOP_LIMIT_MS = 30_000;

/** Opens the host, loads the built pages and listens. */
export async function startServer(
  settings: Settings,
  overrides: StartOverrides = {},
): Promise<RunningServer> {
  const output = overrides.output ?? openLog(settings.logLevel);
  const host = await openHost(settings, output, overrides).catch(async (error: unknown) => {
    await output.flush();
    throw error;
  });
  let measured: MetricsListening | null | undefined;
  try {
    const distDir = overrides.distDir ?? DIST_DIR;
    const { siteUrl, port } = host.settings;
    const render = overrides.render ?? toRenderPage(await loadPages(distDir), host.locals);
    const { security } = host.parts;
    // The format of ids on another host is unknown.
    const targetOptions = settings.apiOrigin === null ? { isSoundId: isId } : {};
    const { pages: admission } = host.admissions;
    const pageCache = createPageCache({
      async render(key, requestId, note) {
        const parts = createParts();
        return toPage(await render(key, requestId, note, parts), security, parts);
      },
      toKey:
        overrides.toPageKey ??
        (({ path, query, isStaff }) => toPageTarget(path, query, { ...targetOptions, isStaff })),
      admission,
      isAnnounced: settings.apiOrigin === null,
      maxBytes: settings.pageCacheBytes,
    });
    host.invalidatePagesOnChange(pageCache);
    const staticFiles = await loadStaticFiles(join(distDir, 'client'));
    const metrics = settings.metrics === null ? undefined : await openMetrics(host, staticFiles, admission);
    const pages = metrics?.observePages(pageCache) ?? pageCache;
    const { trustedProxyHops } = settings;
    const checkHost = createHostCheck({ siteUrl, listensOn: settings.host, trustedProxyHops });
    const handler = createHandler({ ...host.parts, pages, staticFiles, siteUrl, checkHost });
    measured = settings.metrics && (await metrics?.listen(settings.metrics, host.output.log));
    const listening = await listen(metrics?.observeRequests(handler) ?? handler, {
      host: settings.host,
      port,
      maxConnections: settings.maxConnections,
      trustedProxyHops,
      security,
      log: host.output.log,
      ...(overrides.isWorker && { sharesPort: true }),
    });
    const url = toLocalUrl(settings.host, listening.port);
    host.startScheduledJobs();
    host.output.log.info({ url, version: readVersion() }, 'listening');
    return {
      url,
      host,
      async close() {
        await listening.drain();
        await measured?.close();
        await host.close();
        host.output.log.info('stopped');
        await host.output.flush();
      },
    };
  } catch (error) {
    await measured?.close();
    await host.close();
    throw error;
  }
}

async function openMetrics(
  { api, data }: Host,
  staticFiles: StaticFiles,
  pageAdmission: Admission,
): Promise<Metrics> {
  const { createMetrics } = await import('./metrics.ts');
  return createMetrics({
    isStaticFile: (path) => staticFiles.has(path),
    queues: {
      'page-admission': () => pageAdmission.countWaiting(),
      'api-admission': () => api.countWaitingReads(),
      'background-jobs': () => api.countBackgroundJobs(),
    },
    sources: data === null ? [] : [toStateMetrics(() => readSiteState(data.database)), ...api.metrics],
  });
}

/**
 * Starts, and shuts down cleanly on SIGTERM and SIGINT, within half a minute; a second signal ends the process at once.
 * A worker shuts down when its primary asks it to as well, and leaves it to the primary to end it at once: a terminal
 * signals both.
 */
export async function runServer(settings: Settings, overrides: StartOverrides = {}): Promise<RunningServer> {
  const server = await startServer(settings, overrides);
  collectWhenIdle();
  const { output } = server.host;
  const { log } = output;
  const { isWorker = false } = overrides;
  const fail = (error: unknown, message: string) => {
    log.fatal({ err: error }, message);
    void endProcess(output, 1);
  };
  let isStopping = false;
  function stop(why: object): void {
    if (isStopping && !isWorker) void endProcess(output, 1);
    if (isStopping) return;
    isStopping = true;
    log.info(why, 'stopping');
    setTimeout(fail, STOP_LIMIT_MS, undefined, 'shutdown took too long').unref();
    server.close().then(
      () => endProcess(output, 0),
      (error: unknown) => fail(error, 'shutdown failed'),
    );
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop({ signal }));
  if (isWorker) process.on('message', (message) => message === 'stop' && stop({}));
  // The process must still end, because its state is unknown; it logs the reason first.
  process.on('uncaughtException', (error) => fail(error, 'uncaught exception'));
  // An unhandled rejection belongs to one request; the others continue.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  return server;
}
