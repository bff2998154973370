import { existsSync } from 'node:fs';
import type { Platform } from '../../../platform/http/context.ts';
import type { Log } from '../../../platform/log.ts';
import {
  readOpeningKeys,
  readOrMakeSealingKey,
  toOpeningKeys,
} from '../../../platform/crypto/sealed-keys.ts';
import { toPublicKeyFile } from '../../../platform/crypto/secrets.ts';
import type { SealingKey } from '../../../platform/crypto/sealed-keys.ts';
import { listMissingForMachines } from '../../../platform/storage/local-data.ts';
import type { DataPlaces } from '../../../platform/storage/local-data.ts';
import { findImageKeyId } from './images.ts';
import { selectPending } from './submission-queries.ts';
import { OperatorError } from '../../../platform/operator-error.ts';

/** Bounds the reads at start-up. */
const CHECKED_MAX = 1_000;

/** The settings name no key for photographs of IDs, and none can be made; the message says what to do. */
export class MissingKeyError extends OperatorError {
  override readonly name = 'MissingKeyError';
}

/** The settings of the key. */
export interface KeyLocations extends DataPlaces {
  readonly personalInfoPublicKey: SealingKey | null;
  readonly personalInfoKeyFile: string;
}

/**
 * The key that seals images of IDs: that of the settings, otherwise a file in the data folder, generated when missing. Logs
 * for the operator where its private half is. Throws `MissingKeyError`.
 */
export function openPersonalInfoKey(locations: KeyLocations, log: Log): SealingKey {
  const { personalInfoPublicKey, personalInfoKeyFile: privateFile } = locations;
  const key = personalInfoPublicKey ?? openFiles(locations);
  if (existsSync(privateFile)) {
    log.info(
      { privateFile },
      'the private key that opens photographs of IDs lies beside the server: move it to where staff commands run',
    );
  }
  return key;
}

/** A pair is not made where its files would probably be lost: IDs that were sealed to it could never be viewed. */
function openFiles(locations: KeyLocations): SealingKey {
  const { dataDir, personalInfoKeyFile: privateFile } = locations;
  const publicFile = toPublicKeyFile(dataDir);
  const isKeyAlone = listMissingForMachines(locations).every((name) => name === 'PERSONAL_INFO_PUBLIC_KEY');
  if (isKeyAlone && !existsSync(publicFile) && !existsSync(privateFile)) {
    throw new MissingKeyError(
      'PERSONAL_INFO_PUBLIC_KEY is missing: nothing else has to be kept in DATA_DIR, so no key for photographs of IDs is ' +
        'made there. Run "npm run operator -- personal-info make-key FILE" where the staff works, and set what it prints.',
    );
  }
  return readOrMakeSealingKey({ publicFile, privateFile });
}

/**
 * Warns once, with the setting's name, when IDs are waiting that no key in `privateFile` opens: the file is elsewhere,
 * or was lost with a container that only preserved the data folder. Never throws.
 */
export async function warnOfMissingKeys(
  { database, storage, logger }: Pick<Platform, 'database' | 'storage' | 'logger'>,
  privateFile: string,
): Promise<void> {
  try {
    const keys = existsSync(privateFile) ? readOpeningKeys(privateFile) : toOpeningKeys([]);
    const missing = new Set<string>();
    let waiting = 0;
    for (const { id } of (await selectPending(database.db)).slice(0, CHECKED_MAX)) {
      const keyId = await findImageKeyId({ storage }, id);
      if (keyId === undefined || keys.find(keyId) !== undefined) continue;
      waiting += 1;
      missing.add(keyId.toString('hex'));
    }
    if (waiting === 0) return;
    logger.warn(
      { waiting, keys: [...missing], privateFile },
      'photographs of IDs wait whose private key is not at PERSONAL_INFO_KEY_FILE: keep that file across restarts, or ' +
        'where staff commands run; without it these IDs can only be rejected',
    );
  } catch (error) {
    logger.warn(
      { err: error, privateFile },
      'the private key for waiting photographs of IDs was not checked',
    );
  }
}
