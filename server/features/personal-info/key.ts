import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log.ts';
import { readOrMakeSealingKey } from '../../ports/sealed-keys.ts';
import type { SealingKey } from '../../ports/sealed-keys.ts';
import { retireLegacyKeys, toRetiredFile } from '../../ports/sealed-legacy.ts';

export interface PersonalInfoKey {
  readonly personalInfoKey: SealingKey;
  /** Where the symmetric keys of earlier versions are until they are deleted. */
  readonly retiredFiles: readonly string[];
}

export function toPublicKeyFile(dataDir: string): string {
  return join(dataDir, 'secrets/personal-info.pub');
}

/** The key that seals images of IDs, made when it is missing; tells the operator where its private half is. */
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
