import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/open.ts';
import { Tally } from '../check.ts';
import type { Check, Diagnosis, Finding } from '../check.ts';
import { findUsedNumbers } from './row-numbers.ts';

/** Bounds what SQLite collects before it returns. */
const REPORTED_MAX = 1_000;

export const databaseIntegrity: Check = {
  name: 'database integrity',
  priority: 'critical',
  stage: 'rows',
  consoleText: null,
  run: async (site) => examineIntegrity(await site.openDatabase()),
};

/** Damage, orphaned rows and disabled constraints; `db` may be a transaction. */
export async function examineIntegrity({
  db,
  dialect,
}: Pick<Database, 'db' | 'dialect'>): Promise<Finding[]> {
  const numbers = new Tally();
  for (const example of await findUsedNumbers({ db, dialect })) numbers.add(example);
  return [
    ...(await (dialect === 'sqlite' ? examineSqlite(db) : examinePostgres(db))),
    ...numbers.diagnose(USED_NUMBERS),
  ];
}

async function examineSqlite(db: Database['db']): Promise<Finding[]> {
  const [damage, orphans] = [new Tally(), new Tally()];
  // The integrity check finds broken pages, index entries without rows and rows that violate CHECK or NOT NULL.
  const found = await sql<{
    integrity_check: string;
  }>`pragma integrity_check(${sql.lit(REPORTED_MAX)})`.execute(db);
  for (const { integrity_check } of found.rows) if (integrity_check !== 'ok') damage.add(integrity_check);
  const { rows } = await sql<{ table: string; rowid: number | null; parent: string }>`
    select "table", rowid, parent from pragma_foreign_key_check limit ${REPORTED_MAX}`.execute(db);
  for (const { table, rowid, parent } of rows) orphans.add(`${table} row ${rowid ?? '?'} without ${parent}`);
  return [...damage.diagnose(DAMAGED), ...orphans.diagnose(ORPHANED)];
}

async function examinePostgres(db: Database['db']): Promise<Finding[]> {
  const list = async (query: RawBuilder<{ name: string }>) => {
    const tally = new Tally();
    for (const { name } of (await query.execute(db)).rows) tally.add(name);
    return tally;
  };
  const indexes = await list(sql`
    select indexrelid::regclass::text as name from pg_index
    join pg_class on pg_class.oid = indexrelid
    where not (indisvalid and indisready) and relnamespace = current_schema()::regnamespace limit ${REPORTED_MAX}`);
  const constraints = await list(sql`
    select conrelid::regclass::text || ': ' || conname as name from pg_constraint
    where not convalidated and connamespace = current_schema()::regnamespace limit ${REPORTED_MAX}`);
  const triggers = await list(sql`
    select tgrelid::regclass::text || ': ' || tgname as name from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    where tgenabled in ('D', 'R') and relnamespace = current_schema()::regnamespace limit ${REPORTED_MAX}`);
  return [
    ...indexes.diagnose(INVALID_INDEX),
    ...constraints.diagnose(UNCHECKED),
    ...triggers.diagnose(DISABLED),
    ...(await findOrphans(db)),
  ];
}

/** Rows that refer to missing ones: constraints are not checked for rows that were written with triggers disabled. */
async function findOrphans(db: Database['db']): Promise<Finding[]> {
  const tally = new Tally();
  const keys = await sql<{ child: string; parent: string; childColumn: string; parentColumn: string }>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent,
      quote_ident(own.attname) as "childColumn", quote_ident(other.attname) as "parentColumn"
    from pg_constraint
    join pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
    join pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
    where contype = 'f' and cardinality(conkey) = 1 and connamespace = current_schema()::regnamespace
    order by 1, 3`.execute(db);
  for (const { child, parent, childColumn, parentColumn } of keys.rows) {
    const { rows } = await sql<{ orphans: number }>`
      select count(*) as orphans from (
        select from ${sql.raw(child)} own where own.${sql.raw(childColumn)} is not null and not exists (
          select from ${sql.raw(parent)} other where other.${sql.raw(parentColumn)} = own.${sql.raw(childColumn)}
        ) limit ${REPORTED_MAX}
      ) found`.execute(db);
    const orphans = rows[0]?.orphans ?? 0;
    if (orphans > 0) tally.add(`${child}.${childColumn}: ${orphans} without ${parent}`, orphans);
  }
  return tally.diagnose(ORPHANED);
}

const DAMAGED: Diagnosis = {
  kind: 'damaged',
  found: (count) => `The integrity check of SQLite reports ${count} problems.`,
  meaning:
    'The file is damaged, probably by the disk or by copying it while it was in use. Rows may be lost or wrong.',
  remedy: 'Stop the server, keep a copy of the data folder, and restore a backup.',
};
const ORPHANED: Diagnosis = {
  kind: 'orphaned-rows',
  found: (count) => `${count} rows refer to rows that do not exist.`,
  meaning: 'Someone changed the database by other programs, or a restore was incomplete.',
  remedy: 'Restore a backup, or add the missing rows.',
};
const USED_NUMBERS: Diagnosis = {
  kind: 'used-numbers',
  found: (count) => `${count} tables would give a number to a new row that another row has or had.`,
  meaning: 'On PostgreSQL, new rows are refused. On SQLite, a new row can be taken for a deleted one.',
  remedy:
    'Stop the server and set the sequence to the highest number: setval() on PostgreSQL, the row of sqlite_sequence on SQLite.',
};
const INVALID_INDEX: Diagnosis = {
  kind: 'invalid-indexes',
  found: (count) => `${count} indexes are not valid.`,
  meaning: 'Queries are slow, and unique values may exist twice.',
  remedy: 'Run REINDEX for each of them.',
};
const UNCHECKED: Diagnosis = {
  kind: 'unchecked-constraints',
  found: (count) => `${count} constraints are not validated.`,
  meaning: 'Existing rows may violate them.',
  remedy: 'Run ALTER TABLE … VALIDATE CONSTRAINT for each of them.',
};
const DISABLED: Diagnosis = {
  kind: 'disabled-triggers',
  found: (count) => `${count} triggers are disabled.`,
  meaning: 'The balances of the ledger or the checks of foreign keys are not kept up to date.',
  remedy: 'Run ALTER TABLE … ENABLE TRIGGER ALL, then the doctor again.',
};
