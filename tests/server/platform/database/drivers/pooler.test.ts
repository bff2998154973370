import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/schema/open.ts';
import type { OpenOptions } from '#server/platform/database/open.ts';
import { PoolerSettingsError } from '#server/platform/database/drivers/postgres-pool.ts';
import { locateTestDatabase } from '#support/databases/databases.ts';
import { runStatement } from '#support/databases/postgres-server.ts';
import { makeFolder } from '#support/files/folders.ts';
import { runCommand } from '#support/processes/operator.ts';

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

const POOLER_FINDING = expect.objectContaining({
  kind: 'pooler',
  meaning: expect.stringContaining('The data was not looked at.'),
});

describe('a pooler between the server and PostgreSQL', () => {
  async function locate(how: 'refuses' | 'ignores') {
    const { location, remove } = await locateTestDatabase('postgres');
    onTestFinished(remove);
    if (location.kind !== 'postgres') throw new Error('not PostgreSQL');
    const url = await startPooler(location.url, how);
    const env = { DATA_DIR: join(await makeFolder(), 'data'), DATABASE_URL: url };
    return {
      direct: location.url,
      /** What the doctor says of the database itself: kind, meaning and remedy. */
      async diagnose() {
        const { out } = await runCommand(env, 'doctor', '--json');
        const { checks } = JSON.parse(out) as {
          readonly checks: readonly { name: string; findings: unknown[] }[];
        };
        return checks.find(({ name }) => name === 'database')?.findings;
      },
      open: (options: Partial<OpenOptions>) => openDatabase({ kind: 'postgres', url }, options),
    };
  }

  test('that refuses the settings of connections keeps the server from starting', async () => {
    const { open, diagnose } = await locate('refuses');
    await expect(open({})).rejects.toThrow(/pooler does not pass settings on .*startup parameter: options/);
    expect(await diagnose()).toEqual([POOLER_FINDING]);
  });

  test('that ignores them keeps the server from starting until the role has them', async () => {
    const { direct, open } = await locate('ignores');
    const refusal: unknown = await open({ limits: LIMITS }).catch((error: unknown) => error);
    if (!(refusal instanceof PoolerSettingsError)) throw new Error('the server started', { cause: refusal });
    const settings = [...refusal.message.matchAll(/\w+ = '[^']*'/g)].map(([setting]) => setting);
    const database = new URL(direct).pathname.slice(1);
    for (const setting of settings)
      await runStatement(direct, `alter role current_user in database ${database} set ${setting}`);
    const { db, close } = await open({ limits: LIMITS });
    await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toThrow('statement timeout');
    const { rows } = await sql`select name, setting from pg_settings
      where name in ('enable_seqscan', 'work_mem') order by name`.execute(db);
    expect(rows).toEqual([
      { name: 'enable_seqscan', setting: 'off' },
      { name: 'work_mem', setting: '32768' },
    ]);
    await close();
    // What needs other settings is refused, rather than cut off in the middle or able to write.
    await expect(open({ access: 'read' })).rejects.toThrow(/statement_timeout = '0'.*read_only = 'on'/);
  });

  test('lets the doctor connect as the server does, once the role has the settings of the server', async () => {
    const { direct, open, diagnose } = await locate('ignores');
    expect(await diagnose()).toEqual([POOLER_FINDING]);
    const refusal: unknown = await open({}).catch((error: unknown) => error);
    const database = new URL(direct).pathname.slice(1);
    for (const [setting] of String(refusal).matchAll(/\w+ = '[^']*'/g))
      await runStatement(direct, `alter role current_user in database ${database} set ${setting}`);
    await (await open({})).close();
    expect(await diagnose()).toEqual([]);
  });
});
