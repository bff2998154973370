import type { Feature } from '../feature.ts';
import { deleteRetiredPictures } from './retired.ts';

/** Replaced pictures. */
export const picturesFeature: Feature = {
  name: 'pictures',
  createModule: () => ({
    scheduledJobs: (platform) => [{ name: 'replaced pictures', run: () => deleteRetiredPictures(platform) }],
  }),
};
