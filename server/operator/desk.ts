import { existsSync } from 'node:fs';
import { openDatabase } from '../platform/database/database.ts';
import type { Database, DatabaseAccess } from '../platform/database/database.ts';
import { createLog } from '../platform/log.ts';
import type { Log } from '../platform/log.ts';
import { createSignatures } from '../media/signatures.ts';
import { systemClock } from '../platform/concurrency/concurrency.ts';
import type { Clock } from '../platform/concurrency/concurrency.ts';
import { readOpeningKeys, readOrMakeSecret } from '../platform/crypto/crypto.ts';
import { openStorage } from '../platform/storage/storage.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { toLocalUrl } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { Refusal } from './refusals.ts';

/** What commands work with: the data of the settings, while the server may be running beside. */
export interface Desk {
  readonly database: Database;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Log;
  readonly siteUrl: string;
  readonly siteName: string;
  readonly operatorEmail: string;
  /** Another process has the cache: its pages age by themselves. */
  catalogueChanged(): void;
  readonly settings: Settings;
  /** Where the running server answers on this machine. */
  readonly localUrl: string;
}

/**
 * Opens the same data as `npm start`. Throws `Refusal` where there is none, since a slip must not make another, and
 * `DatabaseVersionError` where the server has to bring it up to date first: a command does not migrate.
 */
export async function openDesk(
  settings: Settings,
  printError: (line: string) => void,
  access: Exclude<DatabaseAccess, 'serve'>,
): Promise<Desk> {
  const { database: location, apiOrigin } = settings;
  if (apiOrigin !== null) throw new Refusal(`the data is with another host, ${apiOrigin}`);
  if (location.kind === 'sqlite' && !existsSync(location.file)) {
    throw new Refusal(`there is no database at ${location.file}; is DATA_DIR what npm start has?`);
  }
  const localUrl = settings.port === 0 ? (settings.siteUrl ?? '') : toLocalUrl(settings.host, settings.port);
  const database = await openDatabase(location, { access });
  try {
    return {
      database,
      storage: await openStorage(settings.storage),
      clock: systemClock,
      logger: createLog('error', { write: (line) => printError(toMessage(line)) }),
      siteUrl: settings.siteUrl ?? localUrl,
      siteName: settings.siteName,
      operatorEmail: settings.operatorEmail,
      catalogueChanged: () => undefined,
      settings,
      localUrl,
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function openSignatures({ settings }: Desk) {
  return createSignatures(readOrMakeSecret(settings.dataDir, 'file-signatures'));
}

/** Throws `Refusal` where the private keys are not. */
export function openOpeningKeys({ settings: { personalInfoKeyFile } }: Desk) {
  try {
    return readOpeningKeys(personalInfoKeyFile);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Refusal(message);
    throw new Refusal(
      `the private key that opens photographs cannot be read at ${personalInfoKeyFile} (${code}); set ` +
        'PERSONAL_INFO_KEY_FILE to where it is kept; if it is lost, reject the ID and ask for another photograph',
    );
  }
}

function toMessage(line: string): string {
  return (JSON.parse(line) as { readonly msg: string }).msg;
}
