import { existsSync } from 'node:fs';
import { openDatabase } from '../schema/open.ts';
import { randomId } from '../platform/database/statements/random-id.ts';
import type { Database, DatabaseAccess } from '../platform/database/open.ts';
import { requireRestoredFolder } from '../features/backups/restore-marks.ts';
import { createLog } from '../platform/log.ts';
import type { Log } from '../platform/log.ts';
import { createChangeWriter } from '../platform/concurrency/page-changes.ts';
import { systemClock } from '../platform/concurrency/clock.ts';
import type { Clock } from '../platform/concurrency/clock.ts';
import { readOpeningKeys } from '../platform/crypto/sealed-keys.ts';
import { openStorage } from '../platform/storage/open.ts';
import type { Storage } from '../platform/storage/port.ts';
import { toLocalUrl } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { Refusal } from './refusals.ts';

/** The resources of commands: the data of the settings, which a running server may use at the same time. */
export interface CommandContext {
  readonly database: Database;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Log;
  readonly siteUrl: string;
  readonly siteName: string;
  readonly operatorEmail: string;
  /** Announces a change to the running servers, see `Platform`. */
  catalogueChanged(tags?: readonly string[]): void;
  readonly settings: Settings;
  /** The local address of the running server. */
  readonly localUrl: string;
  /** Writes what is left to announce and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the same data as `npm start`. Throws `Refusal` if there is none, so that a typing error does not create a new
 * database, and `DatabaseVersionError` or `EmptyDatabaseError` if the server has to migrate it first: commands do not
 * migrate.
 */
export async function openCommandContext(
  settings: Settings,
  printError: (line: string) => void,
  access: Exclude<DatabaseAccess, 'serve'>,
): Promise<CommandContext> {
  const { database: location, apiOrigin } = settings;
  if (apiOrigin !== null) throw new Refusal(`the data is on another host: ${apiOrigin}`);
  await requireRestoredFolder(settings.dataDir);
  if (location.kind === 'sqlite' && !existsSync(location.file)) {
    throw new Refusal(`there is no database at ${location.file}; DATA_DIR must be the same as for npm start`);
  }
  const localUrl = settings.port === 0 ? (settings.siteUrl ?? '') : toLocalUrl(settings.host, settings.port);
  const database = await openDatabase(location, { access });
  try {
    const logger = createLog('error', { write: (line) => printError(toMessage(line)) });
    const changes = createChangeWriter(database, randomId(), logger);
    return {
      database,
      storage: await openStorage(settings.storage),
      clock: systemClock,
      logger,
      siteUrl: settings.siteUrl ?? localUrl,
      siteName: settings.siteName,
      operatorEmail: settings.operatorEmail,
      catalogueChanged: changes.announce,
      settings,
      localUrl,
      async close() {
        await changes.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Throws `Refusal` if the private keys are missing. */
export function openOpeningKeys({ settings: { personalInfoKeyFile } }: CommandContext) {
  try {
    return readOpeningKeys(personalInfoKeyFile);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Refusal(message);
    throw new Refusal(
      `the private key that opens photographs cannot be read at ${personalInfoKeyFile} (${code}); set ` +
        'PERSONAL_INFO_KEY_FILE to its path; if it is lost, reject the ID and ask for another photograph',
    );
  }
}

function toMessage(line: string): string {
  return (JSON.parse(line) as { readonly msg: string }).msg;
}
