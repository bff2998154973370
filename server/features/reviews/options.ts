import type { SealingKey } from '../../platform/crypto/crypto.ts';

/** What reviews need beside the platform. */
export interface ReviewsOptions {
  /** Where mails about waiting applications and IDs go. */
  readonly operatorEmail: string;
  /** Seals the images of IDs, and cannot open them. */
  readonly personalInfoKey: SealingKey;
  /** Symmetric keys of earlier versions, deleted once nothing is sealed under them. */
  readonly retiredKeyFiles: readonly string[];
  /** Where the private key is that opens images of IDs, if it is on this machine. */
  readonly personalInfoKeyFile: string;
}
