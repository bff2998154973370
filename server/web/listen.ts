import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { HOUR_MS } from '../../contract/values/time-units.ts';
import { toClientAddress } from './client-address.ts';
import { createConnections } from './connections.ts';
import type { PeerLimits } from './connections.ts';
import type { Log } from '../platform/log.ts';
import type { WebHandler } from './handler.ts';
import { sendJson, setHeaders } from './replies.ts';
import { NO_PAGE_POLICY } from './security-headers.ts';
import type { Header } from './security-headers.ts';
import { BAD_REQUEST_TEXT } from '../platform/http/reply-texts.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  /** How many proxies are in front of this process. They keep connections open and decide when an idle one ends. */
  readonly trustedProxyHops: number;
  readonly security: readonly Header[];
  readonly log?: Log;
  /** Whether other processes of the site listen on the port as well. Linux divides the connections among them. */
  readonly sharesPort?: boolean;
  /** Shorter times for tests. */
  readonly limits?: Partial<PeerLimits> & { readonly silenceMs?: number };
}

export interface Listening {
  readonly port: number;
  /** Refuses new connections, waits up to `limitMs` for requests in progress, then closes all connections. */
  drain(limitMs?: number): Promise<void>;
}

/** Room for ten thousand percent-encoded kanji in a URL: such a long search is truncated, not refused. */
const HEADERS_BYTES_MAX = 96 * 1024;
const HEADERS_LIMIT_MS = 10_000;
/** Six files of 100 MB on a slow line; slower senders are closed long before. */
const REQUEST_LIMIT_MS = HOUR_MS;
/** A peer that neither sends nor receives a byte for this long is closed, unless it waits for the server. */
const SILENCE_LIMIT_MS = 60_000;
/** Connections accepted beyond the limit, to be compared with the open ones. */
const EXCESS_CONNECTIONS_MAX = 128;
const DRAIN_LIMIT_MS = 10_000;
/** Time for clients with an idle connection to send one more request, whose response closes the connection. */
const IDLE_GRACE_MS = 250;

const REASONS: Readonly<Record<string, readonly [status: number, reason: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'アドレスかヘッダーが長すぎます。'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large', 'リクエストが大きすぎます。'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'リクエストを時間内に受信できませんでした。'],
};

export async function listen(handler: WebHandler, options: ListenOptions): Promise<Listening> {
  const { maxConnections, trustedProxyHops, security, log, limits = {} } = options;
  const { silenceMs = SILENCE_LIMIT_MS } = limits;
  const connections = createConnections({
    maxConnections,
    isBehindProxy: trustedProxyHops > 0,
    findAddress: (req) => toClientAddress(req, trustedProxyHops),
    serve: handler,
    refuse: (res) => refuseRequest(res, security),
    report: (counts) =>
      log?.warn(counts, 'connection limit reached: connections were refused, or idle ones closed'),
    limits,
  });
  const server = createServer(
    {
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: HEADERS_LIMIT_MS,
      requestTimeout: REQUEST_LIMIT_MS,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: trustedProxyHops > 0 ? 75_000 : 5_000,
      // The handler answers, so that this response also has the security headers.
      requireHostHeader: false,
      noDelay: true,
    },
    connections.take,
  );
  server.maxConnections = maxConnections + EXCESS_CONNECTIONS_MAX;
  server.timeout = silenceMs;
  server.on('connection', connections.open);
  server.on('timeout', (socket) => {
    if (connections.isOurTurn(socket)) socket.setTimeout(silenceMs);
    else socket.destroy();
  });
  server.on('close', connections.stop);
  server.on('clientError', (error, socket) => refuse(error, socket as Socket, security));
  server.on('checkExpectation', connections.take);
  await openPort(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    drain: (limitMs = DRAIN_LIMIT_MS) => drain(server, handler, limitMs),
  };
}

async function openPort(server: Server, { port, host, sharesPort = false }: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, reusePort: sharesPort }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function drain(server: Server, handler: WebHandler, limitMs: number): Promise<void> {
  handler.drain();
  // http.Server.close would close idle connections at once, while requests may be on their way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const firstClose = setTimeout(() => server.closeIdleConnections(), Math.min(IDLE_GRACE_MS, limitMs));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_GRACE_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearTimeout(firstClose);
  clearInterval(idle);
  clearTimeout(limit);
  server.close();
}

/** Answers a client of a proxy that has too many requests in progress. */
function refuseRequest(res: ServerResponse, security: readonly Header[]): void {
  setHeaders(res, security);
  res.setHeader('retry-after', '5');
  const detail = '同時のアクセスが多すぎます。しばらくしてからもう一度お試しください。';
  sendJson({ req: res.req, res, requestId: '' }, 429, { detail });
}

/** Answers invalid HTTP and oversized heads; the parser cannot continue on this connection. */
function refuse(error: Error & { code?: string }, socket: Socket, security: readonly Header[]): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, text] = REASONS[error.code ?? ''] ?? [400, 'Bad Request', BAD_REQUEST_TEXT];
  const headers = [
    ...security,
    ['content-security-policy', NO_PAGE_POLICY],
    ['content-type', 'text/plain; charset=utf-8'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${lines}\r\n${text}`,
  );
}
