import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { type ForeignHost, startForeignHost } from './foreign-host.ts';
import { type Site, startSite } from './sites.ts';

export interface ForeignSite {
  readonly host: ForeignHost;
  readonly site: Site;
  /** Ends both, and asserts that the site logged nothing. */
  stop(): Promise<void>;
}

/** A site with the API of another product. */
export async function startForeignSite(): Promise<ForeignSite> {
  const port = await findFreePort();
  const host = await startForeignHost(`http://127.0.0.1:${port}`);
  const site = await startSite({ API_ORIGIN: host.origin, PORT: String(port) });
  return {
    host,
    site,
    async stop() {
      await site.stop();
      await host.close();
      expect(site.log, 'the server’s log is silent').toEqual([]);
    },
  };
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
