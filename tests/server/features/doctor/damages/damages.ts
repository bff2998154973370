import { BACKUP_DAMAGES } from './backups.ts';
import { CHANGE_DAMAGES } from './changes.ts';
import type { Damage } from './damage.ts';
import { FILE_DAMAGES } from './files.ts';
import { KEY_DAMAGES } from './keys.ts';
import { ROW_DAMAGES } from './rows.ts';
import { SCHEMA_DAMAGES } from './schema.ts';

/** Every kind of damage that is planted, in the order of docs/doctor.md. */
export const DAMAGES: readonly Damage[] = [
  ...FILE_DAMAGES,
  ...KEY_DAMAGES,
  ...SCHEMA_DAMAGES,
  ...ROW_DAMAGES,
  ...CHANGE_DAMAGES,
  ...BACKUP_DAMAGES,
];
