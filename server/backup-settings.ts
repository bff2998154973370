import { resolve } from 'node:path';
import * as v from 'valibot';
import type { CopyTarget } from './features/backups/bucket/copies.ts';
import { toPublicKeyLine } from './platform/crypto/sealed-keys.ts';
import { toStorageLocation } from './platform/storage/open.ts';
import { publicKey, url, wholeNumber } from './setting-values.ts';
import { text } from './web/public-settings.ts';

export const BACKUP_SETTINGS = {
  BACKUP_DIR: text(''),
  BACKUP_EVERY_HOURS: wholeNumber(1, 1, 24 * 31),
  BACKUP_KEEP: wholeNumber(7, 1, 1_000),
  BACKUP_DRILL_DAYS: wholeNumber(30, 0, 365),
  BACKUP_URL: url('s3:'),
  BACKUP_PUBLIC_KEY: publicKey('backup make-key'),
};

type Values = v.InferOutput<v.ObjectSchema<typeof BACKUP_SETTINGS, undefined>>;

/** The backups that the server makes on schedule; null for none. */
export function toBackups({ BACKUP_DIR, BACKUP_EVERY_HOURS, BACKUP_KEEP }: Values) {
  if (BACKUP_DIR === '') return null;
  return {
    /** An absolute path. */
    folder: resolve(BACKUP_DIR),
    everyHours: BACKUP_EVERY_HOURS,
    keep: BACKUP_KEEP,
  };
}

/**
 * The bucket for sealed copies of backups, with a key that may not delete; null: none. Returns a sentence for a fault.
 */
export function toBackupCopies(values: Values): CopyTarget | string | null {
  const { BACKUP_DIR, BACKUP_URL, BACKUP_PUBLIC_KEY } = values;
  if (BACKUP_URL === '') return null;
  if (BACKUP_DIR === '' || BACKUP_PUBLIC_KEY === null) return 'needs BACKUP_DIR and BACKUP_PUBLIC_KEY.';
  if (!URL.parse(BACKUP_URL)?.username)
    return 'needs an access key of its own: s3://KEY:SECRET@endpoint/bucket.';
  const location = toStorageLocation(BACKUP_URL, { accessKeyId: '', secretAccessKey: '' });
  if (typeof location === 'string') return location;
  if (location.kind !== 's3') return 'must be the address of a bucket.';
  return { bucket: location.bucket, publicKey: toPublicKeyLine(BACKUP_PUBLIC_KEY.publicKey) };
}
