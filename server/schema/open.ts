import { openMigrated } from '../platform/database/open.ts';
import type { Database, DatabaseLocation, OpenOptions } from '../platform/database/open.ts';
import { MIGRATIONS } from './migrations.ts';

/** Opens the database of the site. Several processes may do so at the same time. */
export function openDatabase(
  location: DatabaseLocation,
  options: Partial<OpenOptions> = {},
): Promise<Database> {
  return openMigrated(location, { migrations: MIGRATIONS, ...options });
}
