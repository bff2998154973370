import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/platform/database/open.ts';
import type { OpenOptions } from '#server/platform/database/open.ts';
import { MIGRATIONS } from '#server/platform/database/migrate.ts';
import { PoolerSettingsError } from '#server/platform/database/postgres-pool.ts';
import { withSnapshot } from '#server/platform/database/snapshot.ts';
import { locateTestDatabase } from '#support/databases/databases.ts';
import { runStatement } from '#support/databases/postgres-server.ts';

const LIMITS = { statementTimeoutMs: 300, lockTimeoutMs: 200 };

/**
 * Treats the settings of a new connection as pgbouncer does: refuses them, or ignores them
 * (`ignore_startup_parameters = options`). Connections are not shared.
 */
async function startPooler(databaseUrl: string, how: 'refuses' | 'ignores') {
  const target = new URL(databaseUrl);
  const server = createServer((client) => {
    client.once('data', (startup: Buffer) => {
      const parameters = startup.subarray(8, startup.readInt32BE()).toString().split('\0');
      const at = parameters.indexOf('options');
      if (at !== -1 && how === 'refuses') {
        client.end(REFUSAL);
        return;
      }
      if (at !== -1) parameters.splice(at, 2);
      const body = Buffer.from(parameters.join('\0'));
      const head = Buffer.from(startup.subarray(0, 8));
      head.writeInt32BE(8 + body.byteLength);
      const upstream = connect(Number(target.port), target.hostname);
      upstream.write(Buffer.concat([head, body]));
      client.pipe(upstream).pipe(client);
      client.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

const REFUSED = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
const REFUSAL = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(REFUSED)]);
REFUSAL.writeInt32BE(REFUSED.length + 4, 1);

describe.each(['refuses', 'ignores'] as const)('a pooler that %s the settings of connections', (how) => {
  async function locate() {
    const { location, remove } = await locateTestDatabase('postgres');
    onTestFinished(remove);
    if (location.kind !== 'postgres') throw new Error('not PostgreSQL');
    const url = await startPooler(location.url, how);
    return {
      direct: location.url,
      open: (options: OpenOptions) => openDatabase({ kind: 'postgres', url }, options),
      url,
    };
  }

  /** The same with the role settings that the server asked for. */
  async function locateWithSettings() {
    const place = await locate();
    const refusal: unknown = await place.open({ limits: LIMITS }).catch((error: unknown) => error);
    if (!(refusal instanceof PoolerSettingsError)) throw new Error('the server started', { cause: refusal });
    for (const statement of refusal.message.split('\n').slice(1)) await runStatement(place.direct, statement);
    return place;
  }

  test('keeps the server from starting until the role has them', async () => {
    const { open } = await locateWithSettings();
    const { db, close } = await open({ limits: LIMITS });
    await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toThrow('statement timeout');
    const { rows } = await sql`select name, setting from pg_settings
      where name in ('enable_seqscan', 'work_mem') order by name`.execute(db);
    expect(rows).toEqual([
      { name: 'enable_seqscan', setting: 'off' },
      { name: 'work_mem', setting: '32768' },
    ]);
    await close();
  });

  test('lets a staff command read for as long as it takes, and not write', async () => {
    const { open } = await locateWithSettings();
    const { db, close } = await open({ access: 'read' });
    await sql`select pg_sleep(0.5)`.execute(db);
    await db.transaction().execute((transaction) => sql`select pg_sleep(0.5)`.execute(transaction));
    await expect(db.insertInto('genres').values({ name: 'x' }).execute()).rejects.toThrow('read-only');
    await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow('division by zero');
    expect(await db.selectFrom('genres').select('id').execute()).toEqual([]);
    await close();
  });

  test('lets a migration run for as long as it takes', async () => {
    const { open } = await locateWithSettings();
    const slow = {
      name: '9999-slow',
      up: async (db: Parameters<(typeof MIGRATIONS)[number]['up']>[0]) =>
        void (await sql`select pg_sleep(0.7)`.execute(db)),
    };
    await (await open({ limits: LIMITS, migrations: [...MIGRATIONS, slow] })).close();
  });

  test('lets a backup copy the database through it', async () => {
    const { url } = await locate();
    const names: string[] = [];
    await withSnapshot({ kind: 'postgres', url }, '/nowhere', async ({ entries }) => {
      for await (const { name } of entries()) names.push(name);
    });
    expect(names).toContain('migrations/000001.jsonl');
  });
});
