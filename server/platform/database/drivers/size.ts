import { sql } from 'kysely';
import type { Database } from '../open.ts';

/** The size of the database in bytes, without files and without SQLite's write-ahead log. */
export async function measureDatabase({ db, dialect }: Database): Promise<number> {
  const size =
    dialect === 'sqlite'
      ? sql<{
          bytes: number;
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  const { rows } = await size.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}
