import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findPort, readVersion, runProgram, startProgram } from './programs.ts';
import type { Program } from './programs.ts';

/** Of an account of tempauth; a key of the S3 API is its name. */
const ACCESS_KEY = 'test:tester';
const SECRET = 'testing';
const STORAGE_KINDS = ['account', 'container', 'object'] as const;

export interface Swift {
  /** `STORAGE_URL` of a bucket that does not exist. */
  readonly url: string;
  readonly version: string;
}

/**
 * An OpenStack Swift with its S3 API on loopback: one server and one ring of each kind, one replica. Everything is in
 * `folder`, apart from the hash prefix in /etc/swift/swift.conf of the package, which is read. `programs` gets what has
 * to be ended.
 */
export async function startSwift(folder: string, programs: Program[]): Promise<Swift> {
  await mkdir(join(folder, 'devices', 'd1'), { recursive: true });
  const common = `bind_ip = 127.0.0.1\nworkers = 0\nuser = ${userInfo().username}\nswift_dir = ${folder}\n`;
  const start = async (kind: (typeof STORAGE_KINDS)[number]) => {
    const port = await findPort();
    const builder = join(folder, `${kind}.builder`);
    // Two to the power of four partitions, one replica, no pause between moves.
    await runProgram('swift-ring-builder', [builder, 'create', '4', '1', '0']);
    await runProgram('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${port}/d1`, '1']);
    await runProgram('swift-ring-builder', [builder, 'rebalance']);
    const config = `[DEFAULT]
${common}bind_port = ${port}
devices = ${join(folder, 'devices')}
mount_check = false
disable_fallocate = true
# On a busy machine a listing would otherwise miss an object for a moment.
container_update_timeout = 30
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
    await startServer(folder, kind, config, port, programs);
  };
  const started = await Promise.allSettled(STORAGE_KINDS.map(start));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  // The proxy keeps what it knows of accounts there, and refuses to work without it.
  const cachePort = await findPort();
  const cacheArgs = ['-l', '127.0.0.1', '-p', String(cachePort), '-u', userInfo().username];
  programs.push(await startProgram('memcached', cacheArgs, cachePort));
  const port = await findPort();
  const config = `[DEFAULT]
${common}bind_port = ${port}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_${ACCESS_KEY.replace(':', '_')} = ${SECRET} .admin
${['catch_errors', 'gatekeeper', 'healthcheck', 'slo'].map((name) => `[filter:${name}]\nuse = egg:swift#${name}`).join('\n')}
`;
  await startServer(folder, 'proxy', config, port, programs);
  const version = await readVersion('swift-proxy');
  const url = `s3://${encodeURIComponent(ACCESS_KEY)}:${SECRET}@127.0.0.1:${port}/unused?tls=off`;
  return { url, version };
}

async function startServer(
  folder: string,
  kind: string,
  config: string,
  port: number,
  programs: Program[],
): Promise<void> {
  const file = join(folder, `${kind}-server.conf`);
  await writeFile(file, config);
  programs.push(await startProgram(`swift-${kind}-server`, [file, '--verbose'], port));
}
