import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { type Site, useOwnSite } from '../../browser/support/sites.ts';

interface Line {
  /** The address of the site behind it. */
  readonly url: string;
  /** Connects it to where the site listens. */
  lead(to: string): void;
  /** Breaks all connections, and accepts no more. */
  cut(): void;
  /** Cuts it once so many bytes have been sent from now on. */
  cutAfter(bytes: number): void;
  mend(): void;
  end(): Promise<void>;
}

/** A site of its own for the tests of a file, which browsers reach over a line. */
export function prepareLine(): { readonly site: Site; readonly getLine: () => Line } {
  let line: Line;
  const site = useOwnSite(async () => {
    line = await startLine();
    return { RATE_LIMITS: 'off', SITE_URL: line.url };
  });
  beforeAll(() => line.lead(site.url));
  afterAll(() => line.end());
  return { site, getLine: () => line };
}

/** A line to a site, which can be cut: WebDriver has no command for it. */
async function startLine(): Promise<Line> {
  let target = 0;
  let isCut = false;
  let left = Infinity;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    near.on('data', ({ length }) => {
      left -= length;
      if (left <= 0) cut();
    });
    near.pipe(far).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  function cut(): void {
    isCut = true;
    left = Infinity;
    for (const socket of sockets) socket.destroy();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (to) => (target = Number(new URL(to).port)),
    cut,
    cutAfter: (bytes) => (left = bytes),
    mend: () => (isCut = false),
    async end() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
