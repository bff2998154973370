import type { Feature } from '../feature.ts';
import { NOTICE_CHECKS } from './checks.ts';
import { NOTICE_ROUTES } from './desk.ts';
import { deleteRemovedNotices } from './storing.ts';
import { NOTICE_FILES } from './stored-files.ts';

/** The notices before downloads. */
export const noticesFeature: Feature = {
  name: 'notices',
  checks: NOTICE_CHECKS,
  files: NOTICE_FILES,
  desk: NOTICE_ROUTES,
  apiTexts: () => import('./api-texts.ts'),
  createModule: () => ({
    scheduledJobs: (platform) => [{ name: 'removed notices', run: () => deleteRemovedNotices(platform) }],
  }),
};
