import type { Feature } from '../feature.ts';
import { PICTURES_ERASURE } from './erasure.ts';
import { PICTURE_CHECKS } from './checks.ts';
import { deleteRetiredPictures } from './retired.ts';
import { PICTURE_FILES } from './stored-files.ts';

/** Replaced pictures. */
export const picturesFeature: Feature = {
  name: 'pictures',
  erasure: PICTURES_ERASURE,
  checks: PICTURE_CHECKS,
  files: PICTURE_FILES,
  createModule: () => ({
    scheduledJobs: (platform) => [{ name: 'replaced pictures', run: () => deleteRetiredPictures(platform) }],
  }),
};
