import { relative } from 'node:path';
import type { StorageLocation } from './port.ts';

/** The settings that decide where persistent data is. */
export interface DataPlaces {
  /** An absolute path. */
  readonly dataDir: string;
  readonly database: { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres' };
  readonly storage: StorageLocation;
  readonly mail: { readonly kind: 'smtp' | 'folder' };
  /** Null: secrets are files in the data folder. */
  readonly secretKey: object | null;
  /** Null: the public key that seals photographs of IDs is a file in the data folder. */
  readonly personalInfoPublicKey: object | null;
}

export type OutsideSetting =
  'DATABASE_URL' | 'STORAGE_URL' | 'SECRET_KEY' | 'PERSONAL_INFO_PUBLIC_KEY' | 'SMTP_URL';

/**
 * The settings that are missing until nothing in the data folder must persist. Several machines need all of them: each
 * machine has a data folder of its own.
 */
export function listMissingForMachines(locations: DataPlaces): OutsideSetting[] {
  const { dataDir, database, storage, mail, secretKey, personalInfoPublicKey } = locations;
  const isInside = (path: string) => !relative(dataDir, path).startsWith('..');
  const missing: OutsideSetting[] = [];
  if (database.kind === 'sqlite') missing.push('DATABASE_URL');
  if (storage.kind === 'folder' && isInside(storage.path)) missing.push('STORAGE_URL');
  if (secretKey === null) missing.push('SECRET_KEY');
  if (personalInfoPublicKey === null) missing.push('PERSONAL_INFO_PUBLIC_KEY');
  if (mail.kind === 'folder') missing.push('SMTP_URL');
  return missing;
}

/**
 * Whether the data folder contains anything that must persist. Otherwise it has temporary files only, and may be empty
 * at each start.
 */
export function hasPersistentFolder(locations: DataPlaces): boolean {
  return listMissingForMachines(locations).length > 0;
}
