import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/schema/open.ts';
import { runStatement, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database file without a write-ahead log, used as a template. */
    sqliteTemplate: string;
    /** A private server, and the name of a migrated template database on it. */
    postgres: { readonly adminUrl: string; readonly template: string };
  }
}

const TEMPLATE = 'template_migrated';

/** Migrates one database of each kind; the tests of the run copy it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'otoichi-template-'));
  project.provide('sqliteTemplate', await makeSqliteTemplate(join(folder, 'template.sqlite')));
  if (project.name !== 'api') return async () => rmSync(folder, { recursive: true });

  const server = await startPostgres();
  console.info(`API suite on: node:sqlite, and ${server.version}`);
  const url = new URL(server.adminUrl);
  url.pathname = TEMPLATE;
  await runStatement(server.adminUrl, `create database ${TEMPLATE}`);
  await (await openDatabase({ kind: 'postgres', url: url.href })).close();
  project.provide('postgres', { adminUrl: server.adminUrl, template: TEMPLATE });
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
}

async function makeSqliteTemplate(file: string): Promise<string> {
  await (await openDatabase({ kind: 'sqlite', file })).close();
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  return file;
}
