import type { SealingKey } from '../../platform/crypto/sealed-keys.ts';

/** What reviews need in addition to the platform. */
export interface ReviewsOptions {
  /** Recipient of mails about waiting applications and IDs. */
  readonly operatorEmail: string;
  /** The secret of sessions in use and the one before it, by which the details of verified members are recorded. */
  readonly sessionSecrets: readonly Uint8Array[];
  /** For how long decided IDs and quality checks are kept on record, in days. */
  readonly retainIdentityDays: number;
  /** Seals the images of IDs; cannot open them. */
  readonly personalInfoKey: SealingKey;
  /**
   * The file of the private key that opens images of IDs, if it is on this machine; null: the server has never had it.
   */
  readonly personalInfoKeyFile: string | null;
}
