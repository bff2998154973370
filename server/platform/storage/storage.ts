export { LOW_BYTES, RESERVE_BYTES, createDiskSpace, measureFreeBytes } from './disk-space.ts';
export type { DiskSpace, MeasureFree } from './disk-space.ts';
export type { FileUrls, SharedKind } from './file-urls.ts';
export { findKey, openFolderStorage, toFolderPath } from './folder.ts';
export { hasPersistentFolder, listMissingForMachines } from './local-data.ts';
export type { DataPlaces } from './local-data.ts';
export {
  isMarkedBucket,
  listMarkedPlaces,
  readMarker,
  readMarkerText,
  requireMarkers,
  requireSecretKey,
  restoreMarker,
  toMarkedPlace,
  toMarkerFile,
} from './markers.ts';
export type { MarkedFolder, MarkedPlace } from './markers.ts';
export { listStorageMetrics } from './metrics.ts';
export { checkStorage, openStorage, requireBucket, toStorageLocation } from './open.ts';
export { INCOMING_MS_MAX, MARKER_FILE, MissingObjectError } from './port.ts';
export type { ByteRange, ListedObject, Storage, StorageLocation, StoredObject } from './port.ts';
export { isExposed, makeOnce, removeAccessOfOthers, restrictAccess } from './private-files.ts';
export { requireReadable } from './readable.ts';
export { describeBucket } from './s3/address.ts';
export type { BucketLocation } from './s3/address.ts';
export { createBrowserAddresses, toMediaRedirect } from './s3/browser-addresses.ts';
export type { ObjectReply, ToBrowserAddress } from './s3/browser-addresses.ts';
export { BucketError } from './s3/check-texts.ts';
export type { MissingAbility } from './s3/check.ts';
export { openTemporaryFiles } from './temporary-files.ts';
export type { TemporaryFile, TemporaryFiles } from './temporary-files.ts';
