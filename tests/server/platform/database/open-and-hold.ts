import { Kysely, sql } from 'kysely';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { createPostgresDialect } from '#server/platform/database/drivers/postgres.ts';
import { openPostgresPool } from '#server/platform/database/drivers/postgres-pool.ts';
import { createSqliteDialect, createSqliteDriver } from '#server/platform/database/drivers/sqlite-driver.ts';
import { openSqliteFile } from '#server/platform/database/drivers/sqlite.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';

/** A process that opens a database and exits, or (`hang`) stops in the middle of the first migration. */
const [locationJson = '', mode] = process.argv.slice(2);
const location = JSON.parse(locationJson) as DatabaseLocation;

if (mode === 'hang') {
  const dialect =
    location.kind === 'sqlite'
      ? createSqliteDialect(createSqliteDriver(openSqliteFile(location.file)))
      : createPostgresDialect(await openPostgresPool(location.url));
  await new Kysely<unknown>({ dialect }).transaction().execute(async (transaction) => {
    await MIGRATIONS[0]?.up(transaction, location.kind);
    await sql`create table migrations (name text primary key, applied_at bigint not null)`.execute(
      transaction,
    );
    process.send?.('half-way');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
}
const database = await openDatabase(location);
await database.close();
