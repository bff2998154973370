import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener, RequestError } from '@hono/node-server';
import { sql } from 'kysely';
import { SOUND_FILTER_PARAMS } from '../src/lib/sound-filters.ts';
import { createApi } from './app.ts';
import { DIST_DIR } from './build.ts';
import { openDatabase } from './database/open.ts';
import type { Database } from './database/open.ts';
import { findSoundFile } from './features/sounds/service.ts';
import { openLog } from './log.ts';
import type { LogOutput } from './log.ts';
import { createFileUrls } from './media/file-urls.ts';
import { createSignatures } from './media/signatures.ts';
import { createAccessTokens } from './ports/access-tokens.ts';
import { systemClock } from './ports/clock.ts';
import { readOrMakeSecret } from './ports/secrets.ts';
import { openStorage } from './ports/storage.ts';
import type { Storage } from './ports/storage.ts';
import { toLocalUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { loadPages } from './web/astro/rendering.ts';
import type { PageLocals } from './web/astro/rendering.ts';
import { createHandler } from './web/handler.ts';
import type { HandlerOptions, WebHandler } from './web/handler.ts';
import { listen } from './web/listen.ts';
import { createMediaHandler } from './web/media.ts';
import { createPageCache } from './web/page-cache.ts';
import type { PageCache } from './web/page-cache.ts';
import { toPage } from './web/pages.ts';
import type { RenderPage } from './web/pages.ts';
import { toSecurityHeaders } from './web/security-headers.ts';
import { loadStaticFiles } from './web/static.ts';

type FetchCallback = Parameters<typeof getRequestListener>[0];

/** The process without its pages. */
export interface Host {
  readonly settings: Settings & { readonly siteUrl: string };
  readonly output: LogOutput;
  /** Null when another host serves the API: then there is nothing here to keep. */
  readonly data: { readonly database: Database; readonly storage: Storage } | null;
  /** What pages are told. */
  readonly locals: PageLocals;
  readonly parts: Pick<HandlerOptions, 'output' | 'security' | 'media' | 'api' | 'checkReadiness'>;
  /** Has these pages forgotten after each change of the catalogue. */
  forgetPagesOnChange(pages: PageCache): void;
  close(): Promise<void>;
}

export interface StartOverrides {
  /** Where the built pages are. */
  readonly distDir?: string;
  readonly render?: RenderPage;
  readonly output?: LogOutput;
}

export interface RunningServer {
  /** Where it listens. */
  readonly url: string;
  readonly host: Host;
  /** Drains, then lets go of everything. */
  close(): Promise<void>;
}

/** Opens everything that the settings name, on the way making what a first start lacks. */
export async function openHost(settings: Settings, output: LogOutput = openLog(settings.logLevel)): Promise<Host> {
  const port = settings.port === 0 ? await findFreePort(settings.host) : settings.port;
  const siteUrl = settings.siteUrl ?? toLocalUrl(settings.host, port);
  const cached = new Set<PageCache>();
  const common = {
    settings: { ...settings, port, siteUrl },
    output,
    forgetPagesOnChange: (pages: PageCache) => void cached.add(pages),
  };
  const publicSettings = toPublicSettings(settings, siteUrl);
  const security = toSecurityHeaders(siteUrl);
  if (settings.apiOrigin !== null) {
    return {
      ...common,
      data: null,
      locals: { settings: publicSettings, fetchApi: undefined },
      parts: { output, security, media: undefined, api: undefined, checkReadiness: () => Promise.resolve() },
      close: () => Promise.resolve(),
    };
  }

  const storage = await openStorage(settings.storage);
  const signatures = createSignatures(readOrMakeSecret(settings.dataDir, 'file-signatures'));
  const accessTokens = createAccessTokens(readOrMakeSecret(settings.dataDir, 'access-tokens'));
  const database = await openDatabase(settings.database);
  const app = createApi({
    database,
    fileUrls: createFileUrls(signatures, settings.webOrigin === null ? '' : siteUrl),
    accessTokens,
    clock: systemClock,
    logger: output.log,
    webOrigin: settings.webOrigin,
    catalogueChanged() {
      for (const pages of cached) pages.changed();
    },
  });
  return {
    ...common,
    data: { database, storage },
    locals: { settings: publicSettings, fetchApi: async (input, init) => app.fetch(new Request(input, init)) },
    parts: {
      output,
      security,
      media: createMediaHandler({
        storage,
        findSoundFile: (soundId) => findSoundFile(database, soundId),
        signatures,
        webOrigin: settings.webOrigin,
        log: output.log,
      }),
      api: toApiListener(app.fetch, output),
      async checkReadiness() {
        await sql`select 1`.execute(database.db);
      },
    },
    close: () => database.close(),
  };
}

function toApiListener(fetchApi: FetchCallback, { log }: LogOutput): NonNullable<HandlerOptions['api']> {
  const listener = getRequestListener(fetchApi, {
    overrideGlobalObjects: false,
    errorHandler(error) {
      if (error instanceof RequestError) return Response.json({ detail: 'Bad Request' }, { status: 400 });
      log.error({ err: error }, 'the API failed');
      return Response.json({ detail: 'Internal Server Error' }, { status: 500 });
    },
  });
  return (req, res) => listener(req, res);
}

/** Opens the host, loads the built pages and listens. */
export async function startServer(settings: Settings, overrides: StartOverrides = {}): Promise<RunningServer> {
  const host = await openHost(settings, overrides.output);
  try {
    const distDir = overrides.distDir ?? DIST_DIR;
    const { siteUrl, port } = host.settings;
    const render = overrides.render ?? (await loadPages(distDir, siteUrl, host.locals));
    const { security } = host.parts;
    const pages = createPageCache({
      render: async (target, requestId) => toPage(await render(target, requestId), security),
      queryNames: SOUND_FILTER_PARAMS,
      maxBytes: settings.pageCacheBytes,
    });
    host.forgetPagesOnChange(pages);
    const staticFiles = await loadStaticFiles(join(distDir, 'client'));
    const handler: WebHandler = createHandler({ ...host.parts, pages, staticFiles });
    const listening = await listen(handler, {
      host: settings.host,
      port,
      maxConnections: settings.maxConnections,
      isBehindProxy: settings.trustedProxyHops > 0,
      security,
    });
    const url = toLocalUrl(settings.host, listening.port);
    host.output.log.info({ url, version: readVersion() }, 'listening');
    return {
      url,
      host,
      async close() {
        await listening.drain();
        await host.close();
        host.output.log.info('stopped');
        host.output.flush();
      },
    };
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** Starts, and ends the process cleanly on SIGTERM and SIGINT; a second signal ends it at once. */
export async function runServer(settings: Settings, overrides: StartOverrides = {}): Promise<RunningServer> {
  const server = await startServer(settings, overrides);
  const { log, flush } = server.host.output;
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      log.info({ signal }, 'stopping');
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, 'could not stop cleanly');
          flush();
          process.exit(1);
        },
      );
    });
  }
  // A promise that nobody waited for belongs to one request; the others go on.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  return server;
}

/** The settings that a visitor may see; `PublicSettings` of src/lib/public-settings.ts. */
function toPublicSettings(settings: Settings, siteUrl: string) {
  return {
    siteName: settings.siteName,
    siteUrl,
    apiOrigin: settings.apiOrigin ?? '',
    donationHost: settings.donationHost,
    isMaintenance: settings.isMaintenance,
  };
}

function readVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** The address must be known before anything is opened that names it. */
async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
