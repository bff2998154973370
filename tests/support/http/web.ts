import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { createSignatures } from '#server/media/signatures.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { createHandler } from '#server/web/handler.ts';
import type { HandlerOptions } from '#server/web/handler.ts';
import { createHostCheck } from '#server/web/hosts.ts';
import { listen } from '#server/web/listen.ts';
import type { ListenOptions } from '#server/web/listen.ts';
import { createMediaHandler } from '#server/web/media.ts';
import type { SoundFile } from '#server/web/media.ts';
import { unlimitedAdmission } from '#server/platform/limits/admission.ts';
import type { Admission } from '#server/platform/limits/admission.ts';
import { createPageCache } from '#server/web/page-cache.ts';
import type { PageCacheOptions } from '#server/web/page-cache.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import type { ToBrowserAddress } from '#server/platform/storage/s3/browser-addresses.ts';
import { toPage } from '#server/web/pages.ts';
import { toSecurityHeaders } from '#server/web/security-headers.ts';
import { withSharePictures } from '#server/web/share-pictures.ts';
import type { SharePicturesOptions } from '#server/web/share-pictures.ts';
import { NO_STATIC_FILES } from '#server/web/static.ts';
import { makeFolder } from '#support/files/folders.ts';
import { toOutput } from '#support/http/host.ts';

export interface TestWebOptions extends Partial<
  Omit<HandlerOptions, 'output' | 'security' | 'pages' | 'media' | 'siteUrl'>
> {
  readonly render?: (target: string) => Response | Promise<Response>;
  readonly admission?: Admission;
  /** If set, requests are checked by their Host. */
  readonly siteUrl?: string;
  readonly maxConnections?: number;
  readonly limits?: ListenOptions['limits'];
  readonly webOrigin?: string;
  /** By default a new folder. */
  readonly storage?: Storage;
  readonly toBrowserAddress?: ToBrowserAddress;
  /** Admission of drawings of shared links. */
  readonly drawing?: Admission;
  readonly findShareSubject?: SharePicturesOptions['find'];
}

/** The complete web layer on a free port, with pages, sounds and API of the test. */
export async function startWeb(options: TestWebOptions = {}) {
  const siteUrl = options.siteUrl ?? 'http://otoichi.test';
  const security = toSecurityHeaders(siteUrl);
  const lines: string[] = [];
  const output = toOutput((line) => void lines.push(line));
  const storage = options.storage ?? (await openFolderStorage(await makeFolder()));
  const sounds = new Map<string, SoundFile>();
  let now = Date.UTC(2026, 0, 1);
  const signatures = createSignatures(new Uint8Array(32).fill(3), () => now);
  const render = options.render ?? ((target: string) => toHtml(`<h1>${target}</h1>`));
  const pages = createPageCache({
    render: async (target) => toPage(await render(target), security),
    toKey: keepParameters(['search', 'page']),
    admission: options.admission ?? unlimitedAdmission,
    maxBytes: 1_000_000,
  });
  const handler = createHandler({
    staticFiles: NO_STATIC_FILES,
    api: (_, res) => void res.end('{"api":true}'),
    trustedProxyHops: 0,
    mayOpenConsole: async () => false,
    notices: undefined,
    missAdmission: unlimitedAdmission,
    checkReadiness: () => Promise.resolve({ isReady: true, parts: {} }),
    ...(options.siteUrl !== undefined && {
      checkHost: createHostCheck({ siteUrl, listensOn: '127.0.0.1', trustedProxyHops: 0 }),
    }),
    ...options,
    siteUrl,
    output,
    security,
    pages,
    media: withSharePictures(
      {
        find: options.findShareSubject ?? (() => Promise.resolve(undefined)),
        storage,
        admission: options.drawing ?? unlimitedAdmission,
        trustedProxyHops: 0,
      },
      createMediaHandler({
        storage,
        findSoundFile: (id) => Promise.resolve(sounds.get(id)),
        signatures,
        webOrigin: options.webOrigin ?? null,
        toBrowserAddress: options.toBrowserAddress,
        log: output.log,
      }),
    ),
  });
  const listening = await listen(handler, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: options.maxConnections ?? 1_000,
    trustedProxyHops: options.trustedProxyHops ?? 0,
    security,
    log: output.log,
    ...(options.limits && { limits: options.limits }),
  });
  onTestFinished(() => listening.drain(100));
  const url = `http://127.0.0.1:${listening.port}`;
  return {
    url,
    listening,
    lines,
    storage,
    sounds,
    signatures,
    pages,
    advance: (ms: number) => void (now += ms),
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(url + path, { headers, method, redirect: 'manual' }),
    /** Writes raw bytes and reads until the server closes, or is silent for `silenceMs`. */
    raw: (request: string, silenceMs = 1_000) => sendRaw(listening.port, request, silenceMs),
  };
}

/** A cache key with some parameters of the query, for pages of a test. */
export function keepParameters(names: readonly string[]): PageCacheOptions['toKey'] {
  return ({ path, query }) => {
    const kept = [...new URLSearchParams(query)].filter(([name]) => names.includes(name)).sort();
    return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept).toString()}`;
  };
}

export function toHtml(html: string, init: ResponseInit = {}): Response {
  return new Response(html, { ...init, headers: { 'content-type': 'text/html', ...init.headers } });
}

function sendRaw(port: number, request: string, silenceMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'));
    const end = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', end);
    socket.on('error', end);
    socket.setTimeout(silenceMs, end);
  });
}
