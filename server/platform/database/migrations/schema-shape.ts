import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { DialectName } from './migration.ts';

/** The parts of a schema, such as `index sounds_newest on sounds`, with their definitions. */
export type SchemaShape = ReadonlyMap<string, string>;

interface Part {
  readonly part: string;
  readonly definition: string;
}

/** Reads the shape of the current schema, without the tables that SQLite keeps for itself. */
export async function readShape(db: Kysely<unknown>, dialect: DialectName): Promise<SchemaShape> {
  const { rows } = await (dialect === 'sqlite' ? SQLITE : POSTGRES).execute(db);
  return new Map(
    rows.map(({ part, definition }) => [
      part,
      part.startsWith('table ') ? sortParts(simplify(definition)) : simplify(definition),
    ]),
  );
}

/** SQLite keeps the text of a statement as it was written, and quotes a name after renaming it. */
function simplify(definition: string): string {
  return definition.replaceAll('"', '').replace(/\s+/g, ' ').trim();
}

/** Columns that a migration has added come last in the text; their order means nothing. */
function sortParts(table: string): string {
  const begin = table.indexOf('(');
  const end = table.lastIndexOf(')');
  if (begin === -1) return table;
  let depth = 0;
  const parts = [''];
  for (const character of table.slice(begin + 1, end)) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  const sorted = parts.map((part) => part.trim()).toSorted();
  return `${table.slice(0, begin).trim()} (${sorted.join(', ')})${table.slice(end + 1)}`;
}

/** The tables behind the search index are SQLite's own; their columns follow its version. */
const SQLITE = sql<Part>`
  select 'table ' || name as part, case type when 'shadow' then '' else (
      select sql from sqlite_schema where sqlite_schema.name = tables.name and sqlite_schema.type = 'table'
    ) end as definition
  from pragma_table_list as tables
  where schema = 'main' and type in ('table', 'virtual', 'shadow') and name not like 'sqlite\\_%' escape '\\'
  union all
  select 'column ' || tables.name || '.' || columns.name, concat_ws(' ', columns.type, columns."notnull", columns.dflt_value)
  from pragma_table_list as tables, pragma_table_xinfo(tables.name) as columns
  where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\'
  union all
  select type || ' ' || name || ' on ' || tbl_name, sql
  from sqlite_schema where type in ('index', 'trigger') and sql is not null`;

/** Definitions name the schema, which is removed, so that two schemas can be compared. */
const POSTGRES = sql<Part>`
  with tables as (
    select oid, relname, relpersistence, relrowsecurity from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  ), parts as (
    select 'table ' || relname as part,
      relpersistence::text || case when relrowsecurity then ' row security' else '' end as definition
    from tables
    union all
    select 'column ' || relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, nullif(attidentity, ''), nullif(attgenerated, ''),
      pg_get_expr(adbin, adrelid))
    from pg_attribute join tables on tables.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select 'index ' || pg_class.relname || ' on ' || tables.relname, pg_get_indexdef(indexrelid)
    from pg_index join tables on tables.oid = indrelid join pg_class on pg_class.oid = indexrelid
    union all
    select 'constraint ' || conname || ' on ' || relname, pg_get_constraintdef(pg_constraint.oid)
    from pg_constraint join tables on tables.oid = conrelid where contype in ('c', 'f', 'u', 'p', 'x')
    union all
    select 'trigger ' || tgname || ' on ' || relname, pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger join tables on tables.oid = tgrelid where not tgisinternal
    union all
    select 'rule ' || rulename || ' on ' || relname, pg_get_ruledef(pg_rewrite.oid)
    from pg_rewrite join tables on tables.oid = ev_class
    union all
    select 'function ' || proname, prosrc from pg_proc where pronamespace = current_schema()::regnamespace
  )
  select part, replace(definition, quote_ident(current_schema()) || '.', '') as definition from parts`;
