import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../../../platform/http/http.ts';
import type { Log } from '../../../platform/log.ts';
import {
  readOpeningKeys,
  readOrMakeSealingKey,
  retireLegacyKeys,
  toOpeningKeys,
  toRetiredFile,
} from '../../../platform/crypto/crypto.ts';
import type { SealingKey } from '../../../platform/crypto/crypto.ts';
import { findImageKeyId } from './images.ts';
import { selectPending } from './submission-queries.ts';

/** Bounds the reads at start-up. */
const CHECKED_MAX = 1_000;

export interface PersonalInfoKey {
  readonly personalInfoKey: SealingKey;
  /** The files of the symmetric keys of earlier versions, until they are deleted. */
  readonly retiredFiles: readonly string[];
}

export function toPublicKeyFile(dataDir: string): string {
  return join(dataDir, 'secrets/personal-info.pub');
}

/** The key that seals images of IDs, generated when missing; logs for the operator where its private half is. */
export function openPersonalInfoKey(
  dataDir: string,
  privateFile: string,
  log: Log,
  nowMs: number,
): PersonalInfoKey {
  const earlier = [join(dataDir, 'secrets/personal-info'), privateFile];
  for (const path of earlier) retireLegacyKeys(path, nowMs);
  const personalInfoKey = readOrMakeSealingKey({ publicFile: toPublicKeyFile(dataDir), privateFile });
  if (existsSync(privateFile)) {
    log.info(
      { privateFile },
      'the private key that opens photographs of IDs lies beside the server: move it to where staff commands run',
    );
  }
  return { personalInfoKey, retiredFiles: earlier.map(toRetiredFile) };
}

/**
 * Warns once, with the setting's name, when IDs are waiting that no key in `privateFile` opens: the file is elsewhere,
 * or was lost with a container that only kept the data folder. Never throws.
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
