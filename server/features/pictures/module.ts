import type { Feature } from '../feature.ts';
import { PICTURES_ERASURE } from './erasure.ts';
import { deleteRetiredPictures } from './retired.ts';
import { PICTURE_FILES } from './stored-files.ts';

/** Replaced pictures. */
export const picturesFeature: Feature = {
  name: 'pictures',
  erasure: PICTURES_ERASURE,
  files: PICTURE_FILES,
  createModule: () => ({
    scheduledJobs: (platform) => [{ name: 'replaced pictures', run: () => deleteRetiredPictures(platform) }],
  }),
};
