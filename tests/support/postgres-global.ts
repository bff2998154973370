import type { TestProject } from 'vitest/node';
import { findBinaries, startPostgres } from './postgres-server.ts';

/** The PostgreSQL side of the API suite: a private server, or (null) PGlite started by each test file. */
export interface PostgresForTests {
  readonly adminUrl: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresForTests;
  }
}

let stop: (() => Promise<void>) | undefined;

export async function setup(project: TestProject): Promise<void> {
  const bin = process.env['TEST_POSTGRES'] === 'pglite' ? undefined : findBinaries();
  const server = bin === undefined ? undefined : await startPostgres(bin);
  console.info(
    server === undefined
      ? 'API suite on: node:sqlite, and PGlite (no PostgreSQL server found on this machine, or TEST_POSTGRES=pglite)'
      : `API suite on: node:sqlite, and ${server.version}`,
  );
  stop = server?.stop;
  project.provide('postgres', { adminUrl: server?.adminUrl ?? null });
}

export async function teardown(): Promise<void> {
  await stop?.();
}
