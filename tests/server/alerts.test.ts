import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startReplicatedPostgres } from '#support/databases/postgres-server.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startHost } from '#support/http/host.ts';
import { startS3 } from '#support/processes/s3.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
const { groups } = parse(read('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** Names of metrics in an expression: `up` is Prometheus's own. */
function listMetrics(expr: string): string[] {
  return [...expr.matchAll(/\b(?:site|http|process|nodejs)_\w+/g)].map(([name]) => name);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test(
  'every metric of an alert is in the answer of a server with all parts',
  { timeout: 180_000 },
  async () => {
    const servers = await startReplicatedPostgres();
    onTestFinished(() => servers.stop());
    const standby = await servers.startReplica();
    onTestFinished(() => standby.stop());
    const s3 = await startS3();
    const port = await findFreePort();
    const host = await startHost({
      env: {
        DATABASE_URL: servers.primary.adminUrl,
        DATABASE_REPLICA_URL: standby.adminUrl,
        STORAGE_URL: s3.url,
        BACKUP_DIR: await makeFolder(),
        METRICS_PORT: String(port),
      },
    });
    await fetch(`${host.url}/api/sounds/`);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const samples = new Set([...text.matchAll(/^([a-z_]\w*)[{ ]/gm)].map(([, name]) => name));
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, expr } of rules) {
      const metrics = listMetrics(expr);
      expect(metrics.length > 0 || expr.includes('up{'), alert).toBe(true);
      for (const name of metrics) expect(samples, `${alert}: ${name}`).toContain(name);
    }
    expect(text).toContain('site_bucket_calls_total{outcome="answered"}');
    expect(text).toMatch(/^site_database_connections_max 10$/m);
    expect(text).toMatch(/^site_disk_free_bytes\{folder="backups"\} \d{6,}/m);
  },
);

test('every alert has its section in the guide, and every section its alert', () => {
  const titles = [...read('docs/alerts.md').matchAll(/^## (Otoichi\w+)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(rules.map(({ alert }) => alert));
});
