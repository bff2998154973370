import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { watchPace } from './body-pace.ts';
import type { WebHandler } from './handler.ts';
import { NO_PAGE_POLICY } from './security-headers.ts';
import type { Header } from './security-headers.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  /** Whether a proxy keeps connections open to us: then it, not we, decides when an idle one ends. */
  readonly isBehindProxy: boolean;
  readonly security: readonly Header[];
}

export interface Listening {
  readonly port: number;
  /** Refuses new connections, lets requests under way finish for at most `limitMs`, then cuts. */
  drain(limitMs?: number): Promise<void>;
}

/** Room for ten thousand kanji in an address, percent-encoded: a search that long is cut, not refused. */
const HEADERS_BYTES_MAX = 96 * 1024;
const HEADERS_LIMIT_MS = 10_000;
/** Six files of 100 MB on a slow line; what crawls is ended long before. */
const REQUEST_LIMIT_MS = 3_600_000;
/** A connection on which nothing moves, in either direction, for this long is given up. */
const SILENCE_LIMIT_MS = 60_000;
const DRAIN_LIMIT_MS = 10_000;
/** Time for clients with a connection at rest to send one more request and learn that it is the last. */
const FAREWELL_MS = 250;

const REASONS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Content Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

export async function listen(handler: WebHandler, options: ListenOptions): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: HEADERS_LIMIT_MS,
      requestTimeout: REQUEST_LIMIT_MS,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: options.isBehindProxy ? 75_000 : 5_000,
      // Answered by the handler, so that this answer too carries the security headers.
      requireHostHeader: false,
      noDelay: true,
    },
    (req, res) => {
      watchPace(req);
      handler(req, res);
    },
  );
  server.maxConnections = options.maxConnections;
  server.timeout = SILENCE_LIMIT_MS;
  server.on('clientError', (error, socket) => refuse(error, socket as Socket, options.security));
  server.on('checkExpectation', handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    drain: (limitMs = DRAIN_LIMIT_MS) => drain(server, handler, limitMs),
  };
}

async function drain(server: Server, handler: WebHandler, limitMs: number): Promise<void> {
  handler.drain();
  const closed = new Promise<void>((resolve) => {
    // http.Server.close would cut connections at rest at once, with requests perhaps on their way.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const farewell = setTimeout(() => server.closeIdleConnections(), Math.min(FAREWELL_MS, limitMs));
  const idle = setInterval(() => server.closeIdleConnections(), FAREWELL_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearTimeout(farewell);
  clearInterval(idle);
  clearTimeout(limit);
  server.close();
}

/** Answers what is no HTTP, or too much of it; the parser has given up on this connection. */
function refuse(error: Error & { code?: string }, socket: Socket, security: readonly Header[]): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = REASONS[error.code ?? ''] ?? [400, 'Bad Request'];
  const headers = [
    ...security,
    ['content-security-policy', NO_PAGE_POLICY],
    ['content-type', 'text/plain; charset=utf-8'],
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-length: ${reason.length}\r\n${lines}\r\n${reason}`,
  );
}
