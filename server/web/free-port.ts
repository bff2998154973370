import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * The port if nobody listens on it, or with 0 a free one: the address must be known before anything that uses it is
 * opened. Throws if it is in use.
 */
export async function findFreePort(host: string, wanted = 0): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
