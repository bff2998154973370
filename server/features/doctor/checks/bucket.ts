import { BucketError } from '../../../platform/storage/s3/check-texts.ts';
import { MARKER_FILE } from '../../../platform/storage/port.ts';
import { describeBucket } from '../../../platform/storage/s3/address.ts';
import {
  isMarkedBucket,
  listMarkedPlaces,
  readMarker,
  restoreMarker,
} from '../../../platform/storage/markers.ts';
import { requireBucket } from '../../../platform/storage/open.ts';
import type { MissingAbility } from '../../../platform/storage/s3/check.ts';
import { diagnose } from '../check.ts';
import type { Check } from '../check.ts';
import { isProbablyRight } from './folders.ts';

/** Whether the bucket of the storage can be used, and is that of this site; passes if the storage is a folder. */
export const bucket: Check = {
  name: 'bucket',
  priority: 'critical',
  stage: 'quick',
  // It waits for a service on the network.
  consoleText: null,
  endsRun: true,
  async run(site) {
    const place = listMarkedPlaces(site.settings).find(isMarkedBucket);
    if (place === undefined) return [];
    const name = describeBucket(place.bucket);
    try {
      await requireBucket(place.bucket, { signsAddresses: site.settings.mediaRedirect?.isSigned === true });
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

/** What the service lacks and the site does without. No alarm: the operator may have chosen the service knowingly. */
export const bucketAbilities: Check = {
  name: 'abilities of the bucket',
  priority: 'info',
  stage: 'quick',
  consoleText: null,
  async run({ settings }) {
    const place = listMarkedPlaces(settings).find(isMarkedBucket);
    if (place === undefined) return [];
    return (await requireBucket(place.bucket)).map(({ ability, found, loss }) =>
      diagnose({ kind: ability.replaceAll(' ', '-'), found, meaning: loss, remedy: REMEDIES[ability] }),
    );
  },
};

const REMEDIES: Readonly<Record<MissingAbility['ability'], string>> = {
  'conditional writes':
    'Give each site a bucket or prefix of its own, and start a new one once before any other.',
  'aborting uploads': 'Add a rule to the bucket that ends incomplete uploads after a day.',
  'listing uploads': 'Add a rule to the bucket that ends incomplete uploads after a day.',
};
