import type { IncomingMessage, ServerResponse } from 'node:http';
import { asCaller } from '../platform/database/drivers/connection-share.ts';
import { classifyFailure, isTransient } from '../platform/database/drivers/failure.ts';
import type { LogOutput } from '../platform/log.ts';
import { createAccessLog } from './access-log.ts';
import { Problem } from '../platform/http/problem.ts';
import { toAddressGroup } from '../platform/http/address-limits.ts';
import { toFailureReply } from '../platform/http/failures.ts';
import { Busy } from '../platform/limits/busy.ts';
import { TooManyRequests } from '../platform/limits/rate-limits.ts';
import { isRefusal } from '../platform/limits/admission.ts';
import type { Admission } from '../platform/limits/admission.ts';
import { toClientAddress } from './client-address.ts';
import { pickEncoding } from './conditions.ts';
import { isProper } from './hosts.ts';
import type { HostVerdict } from './hosts.ts';
import type { MediaHandler } from './media.ts';
import type { PageCache } from './page-cache.ts';
import { toRefusalPage } from './pages.ts';
import type { Page } from './pages.ts';
import { createProxyWarning } from './proxy-warning.ts';
import { sendJson, sendPage, setHeaders } from './replies.ts';
import type { Exchange } from './replies.ts';
import type { Readiness } from './readiness.ts';
import { createRequestIds } from './request-ids.ts';
import { findRoute, isConsolePath, toFixedReply } from './routes.ts';
import { type Header, NO_PAGE_POLICY } from './security-headers.ts';
import type { StaticFiles } from './static.ts';
import { NOT_FOUND, parseTarget } from './targets.ts';
import type { Target } from './targets.ts';
import { BAD_REQUEST_TEXT, READ_ONLY_TEXT } from '../platform/http/reply-texts.ts';

type ApiListener = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;

export interface HandlerOptions {
  readonly output: LogOutput;
  /** The headers of every response. */
  readonly security: readonly Header[];
  readonly staticFiles: StaticFiles;
  readonly pages: PageCache;
  /** Handle `/media/…`, `/api/…` and `/notice/…`; undefined when another host does. */
  readonly media: MediaHandler | undefined;
  readonly api: ApiListener | undefined;
  readonly notices: ((exchange: Exchange, target: Target) => Promise<void>) | undefined;
  /** Admission of answers that a file does not exist. */
  readonly missAdmission: Admission;
  /** See settings. */
  readonly trustedProxyHops: number;
  /** Undefined: every Host is served. */
  readonly checkHost?: (req: IncomingMessage) => HostVerdict;
  /** The public address, to which requests for another Host are redirected. */
  readonly siteUrl?: string;
  /** Whether a `Cookie` header may open the pages at /operator; they do not exist for anyone else. */
  readonly mayOpenConsole: (cookies: string) => Promise<boolean>;
  /** What of the process is ready. */
  readonly checkReadiness: () => Promise<Readiness>;
}

export interface WebHandler {
  (req: IncomingMessage, res: ServerResponse): void;
  /** From now on every response closes its connection, and `/readyz` fails. */
  drain(): void;
}

/** Logged when a client disconnected before the response began, as in nginx. */
const LEFT = 499;
/** A closed connection has no address; '' would mean a call of this process. */
const UNKNOWN = 'unknown';
const RETRY_AFTER_SECONDS = 5;
/** Retry-After for pages that were not rendered. */
const RENDER_RETRY_SECONDS = 2;
/** The pause between two pages that are compressed as small as possible, so that this takes 5 % of one core at most. */
const SMALLEST_PAUSE_MS = 1_000;

/** Dispatches requests from the sockets to the parts that answer them. */
export function createHandler(options: HandlerOptions): WebHandler {
  const { output, security, pages, trustedProxyHops, checkHost = () => 'serve' } = options;
  // Created once: during an attack they are sent thousands of times a second.
  const refusals = {
    busy: toRefusalPage(503, RENDER_RETRY_SECONDS, security),
    tooMany: toRefusalPage(429, RENDER_RETRY_SECONDS, security),
  };
  const nextId = createRequestIds();
  const warnAboutProxy = createProxyWarning(output.log, trustedProxyHops);
  const logRequest = createAccessLog(output);
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  let nextSmallestAt = 0;

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const startedAt = Date.now();
    const requestId = nextId();
    if (isDraining) res.shouldKeepAlive = false;
    warnAboutProxy(req);

    // The hot path: a cached page in the requested encoding.
    if ((req.method === 'GET' || req.method === 'HEAD') && isProper(req) && checkHost(req) === 'serve') {
      const page = pages.find(req.url ?? '', toVisitorAddress(req), isRevalidation(req));
      const variant = page?.find(pickEncoding(req.headers['accept-encoding']));
      if (page && variant) {
        const address = toClientAddress(req, trustedProxyHops);
        sendPage({ req, res, requestId }, page, variant);
        shrink(page);
        logRequest(req, { requestId, status: res.statusCode, startedAt, address });
        return;
      }
    }
    // A closed connection has no client address any more.
    const address = toClientAddress(req, trustedProxyHops);
    underWay.add(res);
    res.once('close', () => {
      underWay.delete(res);
      logRequest(req, { requestId, status: res.headersSent ? res.statusCode : LEFT, startedAt, address });
    });
    const exchange: Exchange = { req, res, requestId };
    answer(exchange)
      .catch((error: unknown) => answerProblem(exchange, address, error))
      .catch((error: unknown) => fail(exchange, error));
  }

  async function answer(exchange: Exchange): Promise<void> {
    const { req, res, requestId } = exchange;
    const url = req.url ?? '/';
    const target = parseTarget(url);
    if (!isProper(req)) return refuse(exchange);
    const path = target?.path ?? '';
    const route = options.staticFiles.has(path) ? 'file' : findRoute(path);
    const verdict = route === 'healthz' || route === 'readyz' ? 'serve' : checkHost(req);
    if (verdict !== 'serve') return answerWrongHost(exchange, verdict, route === 'page' ? target : undefined);
    if (target === undefined) return answerPage(exchange, NOT_FOUND, '');
    if (route === 'page') {
      if (!isConsolePath(path)) return answerPage(exchange, target, url);
      const isStaff = await options.mayOpenConsole(req.headers.cookie ?? '');
      // Without its URL, which would lead the next visitor to the same page.
      return answerPage(exchange, { ...target, isStaff }, '');
    }
    setHeaders(res, security);
    res.setHeader('x-request-id', requestId);
    if (route === 'file') return options.staticFiles.send(exchange, path);
    if (route === 'readyz') return answerReadiness(exchange);
    const { api, media, notices } = options;
    // Pages are rendered for everybody; these calls are answered for one visitor.
    return asCaller(toAddressGroup(toVisitorAddress(req)), () => {
      if (route === 'api' && api) return answerApi(exchange, target, api);
      if (route === 'media' && media) return media(exchange, target);
      if (route === 'notice' && notices) return notices(exchange, target);
      const [status, body] = toFixedReply(route);
      if (status === 404) throw new Problem(status, body);
      return sendJson(exchange, status, body);
    });
  }

  function refuse(exchange: Exchange): void {
    setHeaders(exchange.res, [...security, ['x-request-id', exchange.requestId], ['connection', 'close']]);
    sendJson(exchange, 400, { detail: BAD_REQUEST_TEXT });
  }

  /** `page` is the target if it is a page's. */
  function answerWrongHost(exchange: Exchange, verdict: HostVerdict, page: Target | undefined): void {
    const { req, res, requestId } = exchange;
    setHeaders(res, [...security, ['x-request-id', requestId]]);
    if (verdict === 'redirect' && page && (req.method === 'GET' || req.method === 'HEAD')) {
      const query = page.query === '' ? '' : `?${page.query}`;
      const location = `${options.siteUrl ?? ''}${page.path}${query}`;
      return sendJson(exchange, 308, { detail: '正しいアドレスに移動します。' }, [['location', location]]);
    }
    const detail = 'このサーバーの名前ではありません。運営の方は SITE_URL の設定を確認してください。';
    sendJson(exchange, 421, { detail });
  }

  async function answerPage(exchange: Exchange, target: Target, url: string): Promise<void> {
    const { req, res, requestId } = exchange;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      setHeaders(res, security);
      res.setHeader('x-request-id', requestId);
      return sendJson(exchange, 405, { detail: READ_ONLY_TEXT }, [['allow', 'GET, HEAD']]);
    }
    const page = await pages
      .get(target, url, requestId, toVisitorAddress(req), isRevalidation(req))
      .catch(toRefusal);
    const encoding = pickEncoding(req.headers['accept-encoding']);
    const ready = page.find(encoding);
    sendPage(exchange, page, ready ?? (await page.encode(encoding)));
    // Rendered again with the same result, if it was ready.
    if (ready) shrink(page);
    else pages.resized(page);
  }

  /** Compresses a page of the cache again when it is visited again. */
  function shrink(page: Page): void {
    if (!page.canShrink || Date.now() < nextSmallestAt) return;
    nextSmallestAt = Infinity;
    void page
      .shrink()
      .then(
        () => pages.resized(page),
        (err: unknown) => output.log.error({ err }, 'page compression failed'),
      )
      .finally(() => (nextSmallestAt = Date.now() + SMALLEST_PAUSE_MS));
  }

  /** The page for visitors who are refused. */
  function toRefusal(error: unknown): Promise<Page> {
    if (error instanceof TooManyRequests) return refusals.tooMany;
    if (error instanceof Busy) return refusals.busy;
    throw error;
  }

  function toVisitorAddress(req: IncomingMessage): string {
    return toClientAddress(req, trustedProxyHops) || UNKNOWN;
  }

  async function answerApi(exchange: Exchange, { path, query }: Target, api: ApiListener): Promise<void> {
    const { req, res } = exchange;
    // The normalised target is checked and answered.
    req.url = query === '' ? path : `${path}?${query}`;
    setTrustedHeader(req, 'x-request-id', exchange.requestId);
    setTrustedHeader(req, 'x-client-address', toVisitorAddress(req));
    res.setHeader('content-security-policy', NO_PAGE_POLICY);
    await api(req, res);
  }

  async function answerReadiness(exchange: Exchange): Promise<void> {
    if (isDraining) return sendJson(exchange, 503, { status: 'draining' });
    const { isReady, parts } = await options.checkReadiness();
    sendJson(exchange, isReady ? 200 : 503, { status: isReady ? 'ready' : 'unavailable', parts });
  }

  /** Answers that a file cannot be had; delayed for an address that requests many such files. */
  async function answerProblem(exchange: Exchange, address: string, error: unknown): Promise<void> {
    if (!(error instanceof Problem)) throw error;
    const { missAdmission } = options;
    try {
      await missAdmission.run(address || UNKNOWN, () => Promise.resolve());
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      await missAdmission.delayRefusal();
      const detail = '見つからないファイルへのアクセスが多すぎます。しばらくしてからもう一度お試しください。';
      return sendJson(exchange, 429, { detail }, [['retry-after', String(RETRY_AFTER_SECONDS)]]);
    }
    sendJson(exchange, error.status, error.fields);
  }

  function fail(exchange: Exchange, error: unknown): void {
    const { res, requestId } = exchange;
    const failure = classifyFailure(error);
    output.log[isTransient(failure) ? 'warn' : 'error'](
      { id: requestId, err: error, failure },
      'request failed',
    );
    if (res.headersSent) {
      res.destroy();
      return;
    }
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    setHeaders(res, security);
    res.setHeader('x-request-id', requestId);
    const { status, retryAfterSec, detail } = toFailureReply(failure);
    if (retryAfterSec !== null) res.setHeader('Retry-After', retryAfterSec);
    sendJson(exchange, status, { detail, request_id: requestId });
  }

  return Object.assign(handle, {
    drain() {
      isDraining = true;
      for (const res of underWay) res.shouldKeepAlive = false;
    },
  });
}

/** Whether a browser asks for a page that is current (RFC 9111 §5.2.1). */
function isRevalidation({ headers }: IncomingMessage): boolean {
  const directives = headers['cache-control'];
  return directives !== undefined && /(?:^|[\s,])(?:no-cache|max-age=0)(?:$|[\s,])/i.test(directives);
}

/** The API reads our headers from the raw ones of the request; a visitor's own are removed. */
function setTrustedHeader(req: IncomingMessage, name: string, value: string): void {
  req.headers[name] = value;
  const { rawHeaders } = req;
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index]?.toLowerCase() === name) rawHeaders.splice(index, 2);
  }
  rawHeaders.push(name, value);
}
