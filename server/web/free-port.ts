import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** For PORT=0: the address must be known before anything that uses it is opened. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
