import { join } from 'node:path';
import { requireRestored } from './features/backups/backups.ts';
import { createFileUrls } from './media/file-urls.ts';
import { createSignatures } from './media/signatures.ts';
import type { Signatures } from './media/signatures.ts';
import { createBackgroundJobs, systemClock } from './platform/concurrency/concurrency.ts';
import { createAccessTokens, createPasswords, readOrMakeSecret } from './platform/crypto/crypto.ts';
import { openDatabase } from './platform/database/database.ts';
import type { Database } from './platform/database/database.ts';
import type { Platform } from './platform/http/http.ts';
import { createRateLimits, noRateLimits } from './platform/limits/limits.ts';
import type { Log } from './platform/log.ts';
import {
  createDiskSpace,
  listMarkedFolders,
  openStorage,
  openTemporaryFiles,
  requireMarkers,
  restrictAccess,
} from './platform/storage/storage.ts';
import type { DiskSpace, MeasureFree } from './platform/storage/storage.ts';
import type { Settings } from './settings.ts';

export interface OpenedPlatform {
  readonly platform: Platform;
  readonly diskSpace: DiskSpace;
  /** For the addresses of files. */
  readonly signatures: Signatures;
}

/**
 * Opens the database, the storage and the secrets that the settings name, and creates those that are missing on the
 * first start. `measureFree` is for tests, which use a simulated disk.
 */
export async function openPlatform(
  settings: Settings & { readonly siteUrl: string },
  log: Log,
  catalogueChanged: Platform['catalogueChanged'],
  measureFree?: MeasureFree,
): Promise<OpenedPlatform> {
  const { dataDir, siteUrl, siteName, webOrigin } = settings;
  requireRestored(dataDir);
  restrictAccess(dataDir, listDatabaseFiles(settings.database), log);
  const diskSpace = createDiskSpace(measureFree);
  const database = await openMarkedDatabase(settings);
  const storage = await openStorage(settings.storage, diskSpace);
  const signatures = createSignatures(readOrMakeSecret(dataDir, 'file-signatures'));
  const accessTokens = createAccessTokens(readOrMakeSecret(dataDir, 'access-tokens'));
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
    rateLimits: settings.hasRateLimits ? createRateLimits(database) : noRateLimits,
    passwords: createPasswords(),
    sessionSecret: readOrMakeSecret(dataDir, 'sessions'),
    siteUrl,
    siteName,
    catalogueChanged,
  };
  return { platform, diskSpace, signatures };
}

/** Checks the folders before anything is written into them. Throws `FolderMarkerError`. */
async function openMarkedDatabase(settings: Settings): Promise<Database> {
  const database = await openDatabase(settings.database);
  try {
    await requireMarkers(database, listMarkedFolders(settings), systemClock.now());
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
