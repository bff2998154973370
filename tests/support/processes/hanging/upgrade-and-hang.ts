/** A process that upgrades the data of its settings to a next version, and hangs in the migration if told so. */
import { sql } from 'kysely';
import { upgradeData } from '#server/operator/upgrade.ts';
import { parseSettings } from '#server/settings.ts';
import { NEXT_VERSION, toNextVersion } from '#support/databases/next-version.ts';

const hangs = process.argv[2] === 'hang';
const hanging = toNextVersion(async (db) => {
  await sql`update sounds set title = 'lost'`.execute(db);
  process.send?.('migrating');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
await upgradeData(parseSettings(process.env), {
  backupTo: '',
  migrations: hangs ? hanging : NEXT_VERSION,
  print: () => process.send?.('begun'),
});
process.disconnect();
