import { join } from 'node:path';
import { requireRestored } from './features/backups/restore-marks.ts';
import { createFileUrls } from './media/file-urls.ts';
import { createSignatures } from './media/signatures.ts';
import type { Signatures } from './media/signatures.ts';
import { createBackgroundJobs } from './platform/concurrency/background-jobs.ts';
import { systemClock } from './platform/concurrency/clock.ts';
import { createAccessTokens } from './platform/crypto/access-tokens.ts';
import { createPasswords } from './platform/crypto/passwords.ts';
import { openSecret, openSecrets, toSecretKeyId } from './platform/crypto/secrets.ts';
import { isUnusableAddress } from './platform/database/drivers/failure.ts';
import { openDatabase } from './schema/open.ts';
import type { Database } from './platform/database/open.ts';
import type { Platform } from './platform/http/context.ts';
import { createRateLimits } from './platform/limits/counting.ts';
import { noRateLimits } from './platform/limits/rate-limits.ts';
import type { RateLimits } from './platform/limits/rate-limits.ts';
import type { Log } from './platform/log.ts';
import { OperatorError } from './platform/operator-error.ts';
import { createDiskSpace } from './platform/storage/disk-space.ts';
import { hasPersistentFolder } from './platform/storage/local-data.ts';
import { listMarkedPlaces, requireMarkers, requireSecretKey } from './platform/storage/markers.ts';
import { openStorage, requireBucket } from './platform/storage/open.ts';
import { openTemporaryFiles } from './platform/storage/temporary-files.ts';
import { restrictAccess } from './platform/storage/private-files.ts';
import type { DiskSpace, MeasureFree } from './platform/storage/disk-space.ts';
import type { Settings } from './settings.ts';

export interface OpenedPlatform {
  readonly platform: Platform;
  readonly diskSpace: DiskSpace;
  /** For the addresses of files. */
  readonly signatures: Signatures;
}

export interface PlatformOptions {
  /** For tests, which use a simulated disk. */
  readonly measureFree?: MeasureFree;
  /** Counts for several processes; by default those of the database. */
  readonly rateLimits?: RateLimits;
  /** Another worker has just made sure that the bucket can be used. */
  readonly isBucketChecked?: boolean;
}

/**
 * Opens the database, the storage and the secrets that the settings name, and creates those that are missing on the
 * first start.
 */
export async function openPlatform(
  settings: Settings & { readonly siteUrl: string },
  log: Log,
  catalogueChanged: Platform['catalogueChanged'],
  { measureFree, rateLimits, isBucketChecked = false }: PlatformOptions = {},
): Promise<OpenedPlatform> {
  const { dataDir, siteUrl, siteName, webOrigin } = settings;
  restrictAccess(dataDir, listDatabaseFiles(settings.database), log);
  const diskSpace = createDiskSpace(measureFree);
  if (settings.storage.kind === 's3' && !isBucketChecked) {
    const { storage, mediaRedirect } = settings;
    const options = { signsAddresses: mediaRedirect?.isSigned === true };
    for (const { ability, found, loss } of await requireBucket(storage.bucket, options))
      log.warn({ ability }, `${found} ${loss}`);
  }
  const database = await openMarkedDatabase(settings, (message) => log.warn(message));
  const storage = await openStorage(settings.storage, diskSpace);
  const signatures = createSignatures(openSecrets(settings, 'file-signatures'));
  const accessTokens = createAccessTokens(openSecrets(settings, 'access-tokens'));
  const temporaryFiles = await openTemporaryFiles(join(dataDir, 'temporary'), Date.now, diskSpace);
  const platform = {
    database,
    storage,
    temporaryFiles,
    backgroundJobs: createBackgroundJobs(),
    fileUrls: createFileUrls(signatures, webOrigin === null ? '' : siteUrl),
    accessTokens,
    clock: systemClock,
    logger: log,
    webOrigin,
    rateLimits: rateLimits ?? (settings.hasRateLimits ? createRateLimits(database) : noRateLimits),
    passwords: createPasswords(),
    sessionSecret: openSecret(settings, 'sessions'),
    siteUrl,
    siteName,
    catalogueChanged,
  };
  return { platform, diskSpace, signatures };
}

/**
 * Checks the locations of files, or the key that replaces the data folder's marker, before anything is written. Throws
 * `FolderMarkerError`, and `OperatorError` if PostgreSQL cannot be used at its address.
 */
async function openMarkedDatabase(settings: Settings, warn: (message: string) => void): Promise<Database> {
  await requireRestored(settings);
  const { kind } = settings.database;
  const database = await openDatabase(settings.database, { warn }).catch((error: unknown) => {
    if (kind !== 'postgres' || !(error instanceof Error) || !isUnusableAddress(error)) throw error;
    throw new OperatorError(`DATABASE_URL: ${error.message}`, { cause: error });
  });
  try {
    const { secretKey, previousSecretKey } = settings;
    if (!hasPersistentFolder(settings)) {
      const keys = [secretKey, previousSecretKey].filter((key) => key !== null);
      await requireSecretKey(database, settings.dataDir, keys.map(toSecretKeyId), systemClock.now());
    }
    await requireMarkers(database, listMarkedPlaces(settings), systemClock.now());
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** SQLite's file and its two auxiliary files. */
function listDatabaseFiles(location: Settings['database']): string[] {
  return location.kind === 'sqlite' ? ['', '-wal', '-shm'].map((end) => location.file + end) : [];
}
