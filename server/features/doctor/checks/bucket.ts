import {
  BucketError,
  MARKER_FILE,
  describeBucket,
  isMarkedBucket,
  listMarkedPlaces,
  readMarker,
  requireBucket,
  restoreMarker,
} from '../../../platform/storage/storage.ts';
import { diagnose } from '../check.ts';
import type { Check } from '../check.ts';
import { isProbablyRight } from './folders.ts';

/** Whether the bucket of the storage can be used, and is that of this site; passes if the storage is a folder. */
export const bucket: Check = {
  name: 'bucket',
  priority: 'critical',
  // It waits for a service on the network.
  isCheap: false,
  endsRun: true,
  async run(site) {
    const place = listMarkedPlaces(site.settings).find(isMarkedBucket);
    if (place === undefined) return [];
    const name = describeBucket(place.bucket);
    try {
      await requireBucket(place.bucket);
    } catch (error) {
      if (!(error instanceof BucketError)) throw error;
      return [
        diagnose({
          kind: error.kind,
          found: error.message,
          meaning: 'Sounds and pictures cannot be stored or served; the server refuses to start.',
          remedy: 'Correct STORAGE_URL, the rights of the key, or the network.',
        }),
      ];
    }
    const { state, id = '' } = await readMarker(await site.openDatabase(), place);
    if (state === 'foreign') {
      return [
        diagnose({
          kind: 'foreign-marker',
          found: `The object ${MARKER_FILE} of the bucket ${name} is that of another site.`,
          meaning: 'Database and files do not belong together; the server refuses to start.',
          remedy: 'Correct STORAGE_URL.',
        }),
      ];
    }
    if (state !== 'missing') return [];
    const isRight = await isProbablyRight(site, place);
    return [
      diagnose({
        kind: 'no-marker',
        found: `The bucket ${name} has no object ${MARKER_FILE}.`,
        meaning: isRight
          ? 'It has files of this site, but the server refuses to start without the marker.'
          : 'It probably does not have the files of this site; the server refuses to start.',
        remedy: isRight
          ? 'Store the marker again (--fix does it).'
          : 'Correct STORAGE_URL, or copy the files with npm run operator -- storage move.',
        ...(isRight && {
          async fix() {
            await restoreMarker(place, id);
            return `stored ${MARKER_FILE}`;
          },
        }),
      }),
    ];
  },
};
