import { makeSealingKey, toPublicKeyLine } from '../platform/crypto/sealed-keys.ts';
import { toWriteRefusal } from './refusals.ts';

/** Writes a new private key into a file that must not exist, and returns the line of its public half. Throws `Refusal`. */
export function makeKeyPair(path: string): string {
  try {
    return toPublicKeyLine(makeSealingKey(path).publicKey);
  } catch (error) {
    throw toWriteRefusal(path, error as NodeJS.ErrnoException);
  }
}
