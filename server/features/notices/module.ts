import type { Module } from '../../platform/http/module.ts';
import { deleteRemovedNotices } from './storing.ts';

/** The notices before downloads. */
export function createNoticesModule(): Module {
  return {
    name: 'notices',
    scheduledJobs: (platform) => [{ name: 'removed notices', run: () => deleteRemovedNotices(platform) }],
  };
}
