import { sql } from 'kysely';
import type { Database } from '#server/platform/database/open.ts';

/** The parts of the tables that programs of another version depend on. */
export interface TableShapes {
  /** By `table.column`. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Constraints, unique indexes and triggers: what can refuse a change. By their definition. */
  readonly rules: ReadonlyMap<string, Rule>;
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Also for generated values. */
  readonly hasDefault: boolean;
}

interface Rule {
  readonly table: string;
  readonly definition: string;
  /** The columns that it reads, separated by commas; '' if it may read any. */
  readonly columns: string;
}

export async function readShapes(database: Database): Promise<TableShapes> {
  const [columns, rules] = database.dialect === 'postgres' ? POSTGRES : SQLITE;
  const found = {
    columns: (await columns.execute(database.db)).rows,
    rules: (await rules.execute(database.db)).rows,
  };
  return {
    columns: new Map(
      found.columns.map(({ isRequired, hasDefault, ...column }) => [
        `${column.table}.${column.name}`,
        { ...column, isRequired: Boolean(isRequired), hasDefault: Boolean(hasDefault) },
      ]),
    ),
    rules: new Map(found.rules.map((rule) => [`${rule.table}: ${rule.definition}`, rule])),
  };
}

/** What a program that was written for the old tables may not be able to do with the new ones. */
export function findContractions(old: TableShapes, next: TableShapes): string[] {
  const tables = new Set([...old.columns.values()].map(({ table }) => table));
  const faults: string[] = [];
  for (const [key, { type, isRequired }] of old.columns) {
    const now = next.columns.get(key);
    if (now === undefined) faults.push(`${key} is removed`);
    else if (now.type !== type) faults.push(`${key} changes from ${type} to ${now.type}`);
    else if (now.isRequired && !isRequired) faults.push(`${key} becomes required`);
  }
  const added = [...next.columns].filter(([key, { table }]) => tables.has(table) && !old.columns.has(key));
  for (const [key, { isRequired, hasDefault }] of added)
    if (isRequired && !hasDefault) faults.push(`${key} is new and required, and has no default`);
  /** The old program leaves them null, which satisfies every constraint. */
  const isNull = (table: string, name: string) =>
    added.some(([key, column]) => key === `${table}.${name}` && !column.isRequired && !column.hasDefault);
  for (const [key, { table, columns }] of next.rules) {
    if (!tables.has(table) || old.rules.has(key)) continue;
    const isSatisfied = columns !== '' && columns.split(',').every((name) => isNull(table, name));
    if (!isSatisfied) faults.push(`new rule of ${key}`);
  }
  return faults;
}

interface ColumnRow extends Omit<Column, 'isRequired' | 'hasDefault'> {
  readonly isRequired: boolean | number;
  readonly hasDefault: boolean | number;
}

const POSTGRES = [
  sql<ColumnRow>`
    select class.relname as "table", attname as name, format_type(atttypid, atttypmod) as type,
      attnotnull as "isRequired", atthasdef or attidentity <> '' as "hasDefault"
    from pg_attribute join pg_class class on class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  sql<Rule>`
    select relname as "table", pg_get_constraintdef(rule.oid) as definition, coalesce((
        select string_agg(attname, ',') from pg_attribute where attrelid = conrelid and attnum = any(conkey)
      ), '') as columns
    from pg_constraint rule join pg_class class on class.oid = conrelid
    where relnamespace = current_schema()::regnamespace and contype in ('c', 'f', 'u', 'p', 'x')
    union all
    select relname, pg_get_indexdef(indexrelid), coalesce((
        select string_agg(attname, ',') from pg_attribute where attrelid = indrelid and attnum = any(indkey)
      ), '')
    from pg_index join pg_class class on class.oid = indrelid
    where relnamespace = current_schema()::regnamespace and indisunique
    union all
    select relname, pg_get_triggerdef(rule.oid), ''
    from pg_trigger rule join pg_class class on class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and not tgisinternal`,
] as const;

const TABLES = sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`;
const SQLITE = [
  sql<ColumnRow>`
    select schema.name as "table", info.name as name, lower(info.type) as type,
      info."notnull" as "isRequired", info.dflt_value is not null or info.pk > 0 as "hasDefault"
    from (${TABLES}) as schema, pragma_table_info(schema.name) as info`,
  sql<Rule>`
    select schema.name as "table", 'unique index ' || list.name as definition, coalesce((
        select group_concat(name, ',') from pragma_index_info(list.name)
      ), '') as columns
    from (${TABLES}) as schema, pragma_index_list(schema.name) as list where list."unique" = 1
    union all
    select schema.name, 'foreign key ' || list."from" || ' to ' || list."table", list."from"
    from (${TABLES}) as schema, pragma_foreign_key_list(schema.name) as list
    union all
    select tbl_name, 'trigger ' || sql, '' from sqlite_schema where type = 'trigger'`,
] as const;
