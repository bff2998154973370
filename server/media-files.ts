import { findArtistSubject } from './features/artists/service.ts';
import { findSoundFile, findSoundSubject } from './features/catalogue/service.ts';
import { withQualityCheckFiles } from './features/reviews/quality-check/media.ts';
import type { OpenedPlatform } from './open-platform.ts';
import type { Admission } from './platform/limits/admission.ts';
import { createBrowserAddresses } from './platform/storage/s3/browser-addresses.ts';
import type { Settings } from './settings.ts';
import type { BucketReaders } from './web/bucket-readers.ts';
import { createMediaHandler } from './web/media.ts';
import type { MediaHandler } from './web/media.ts';
import { withSharePictures } from './web/share-pictures.ts';

interface MediaFilesOptions {
  readonly readers: BucketReaders | undefined;
  /** Admission of drawings. */
  readonly drawing: Admission;
}

/** All that `/media/…` serves: pictures, sounds and downloads, pictures of shared links, files for the staff. */
export function createMediaFiles(
  settings: Settings,
  { platform, signatures }: OpenedPlatform,
  { readers, drawing }: MediaFilesOptions,
): MediaHandler {
  const { database, storage, clock, logger } = platform;
  const { mediaRedirect, siteName, trustedProxyHops, webOrigin } = settings;
  const files = createMediaHandler({
    storage,
    findSoundFile: (soundId) => findSoundFile(database, soundId),
    signatures,
    webOrigin,
    toBrowserAddress:
      mediaRedirect === null ? undefined : createBrowserAddresses(settings.storage, mediaRedirect, clock.now),
    findPicture: readers?.findPicture,
    log: logger,
  });
  const shared = withSharePictures(
    {
      find: (kind, name) =>
        (kind === 'sounds' ? findSoundSubject : findArtistSubject)(database, name, siteName),
      storage,
      admission: drawing,
      trustedProxyHops,
    },
    files,
  );
  return withQualityCheckFiles({ database, storage, signatures }, shared);
}
