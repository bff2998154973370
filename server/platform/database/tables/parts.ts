import type { DialectName } from '../migrations/migration.ts';

/** Types that both databases share: text, integer, real. Times are epoch ms, flags are 0 or 1. */
export type Flag = 0 | 1;

export function toFlag(isSet: boolean | undefined): Flag {
  return isSet ? 1 : 0;
}

/** A list that is stored as words. */
export function toList(words: string): string[] {
  return words.split(' ').filter(Boolean);
}

/** A text that is '' unless it is given. */
export const TEXT = `text not null default ''`;

/** The column of a `Flag`. */
export function flag(name: string, preset: Flag = 0): string {
  return `${name} integer not null default ${preset} check (${name} in (0, 1))`;
}

/**
 * Makes a database refuse updates and deletes of a table's rows, and on PostgreSQL `truncate`. `change` names the function
 * that refuses.
 */
export function toAppendOnly(dialect: DialectName, table: string, change: string, message: string): string[] {
  if (dialect === 'sqlite') {
    return ['update', 'delete'].map(
      (event) => `create trigger ${table}_no_${event} before ${event} on ${table} begin
        select raise(abort, '${message}');
      end`,
    );
  }
  return [
    `create function refuse_${change}() returns trigger language plpgsql as $$
    begin
      raise exception '${message}';
    end $$`,
    `create trigger ${table}_unchanged before update or delete on ${table}
      for each row execute function refuse_${change}()`,
    `create trigger ${table}_kept before truncate on ${table}
      for each statement execute function refuse_${change}()`,
  ];
}

/** The column of a number that begins with 0 and is never negative. */
export function count(name: string): string {
  return `${name} integer not null default 0 check (${name} >= 0)`;
}
