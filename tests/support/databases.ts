import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../server/platform/database/open.ts';
import type { Database, DatabaseLocation } from '../../server/platform/database/open.ts';
import './postgres-global.ts';

/** For `describe.each(databases)('…on $name', ({ open }) => …)`: every fact holds on both. */
export const databases = [
  { name: 'sqlite', open: () => openTestDatabase('sqlite'), locate: () => locateTestDatabase('sqlite') },
  {
    name: 'postgres',
    open: () => openTestDatabase('postgres'),
    locate: () => locateTestDatabase('postgres'),
  },
] as const;

export interface TestLocation {
  readonly location: DatabaseLocation;
  /** Removes the database and all it left behind. */
  remove(): Promise<void>;
}

/** An empty, migrated database of its own; `close` also removes it. */
export async function openTestDatabase(kind: DatabaseLocation['kind']): Promise<Database> {
  const { location, remove } = await locateTestDatabase(kind);
  const database = await openDatabase(location);
  return {
    ...database,
    async close() {
      await database.close();
      await remove();
    },
  };
}

/** Where a new database can be opened; nothing is in it, not even tables. */
export async function locateTestDatabase(kind: DatabaseLocation['kind']): Promise<TestLocation> {
  if (kind === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'otoichi-sqlite-'));
    return {
      location: { kind, file: join(folder, 'test.sqlite') },
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const { adminUrl } = inject('postgres');
  return adminUrl === null ? startPglite() : makeDatabase(adminUrl);
}

async function makeDatabase(adminUrl: string): Promise<TestLocation> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runAsAdmin(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return {
    location: { kind: 'postgres', url: url.href },
    remove: () => runAsAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

async function runAsAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function startPglite(): Promise<TestLocation> {
  const [{ PGlite }, { PGLiteSocketServer }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite-socket'),
  ]);
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 50 });
  await server.start();
  return {
    location: { kind: 'postgres', url: `postgres://postgres@${server.getServerConn()}/postgres` },
    async remove() {
      await server.stop();
      await db.close();
    },
  };
}
