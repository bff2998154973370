import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MetricsListening {
  readonly port: number;
  close(): Promise<void>;
}

/** With a slash at the end like the checks of health; a collector may add parameters. */
const TARGET = /^\/metrics\/?(?:\?|$)/;
/** One Prometheus needs one or two. */
const CONNECTIONS_MAX = 16;
const TIME_LIMIT_MS = 10_000;

/** Serves the metrics and nothing else. Port 0 picks a free one. */
export async function listenForMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  {
    read,
    contentType,
    onError,
  }: {
    readonly read: () => Promise<string>;
    readonly contentType: string;
    readonly onError: (error: unknown) => void;
  },
): Promise<MetricsListening> {
  const server = createServer(
    { headersTimeout: TIME_LIMIT_MS, requestTimeout: TIME_LIMIT_MS, maxHeaderSize: 8 * 1024 },
    (req, res) => {
      const refuse = (status: number, headers = {}) =>
        res.writeHead(status, { connection: 'close', ...headers }).end();
      if (!TARGET.test(req.url ?? '')) return void refuse(404);
      if (req.method !== 'GET' && req.method !== 'HEAD') return void refuse(405, { allow: 'GET, HEAD' });
      read().then(
        (text) => res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text),
        (error: unknown) => {
          onError(error);
          refuse(500);
        },
      );
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = TIME_LIMIT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
