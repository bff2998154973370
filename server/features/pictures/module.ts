import type { Module } from '../../platform/http/module.ts';
import { deleteRetiredPictures } from './retired.ts';

/** Replaced pictures. */
export function createPicturesModule(): Module {
  return {
    name: 'pictures',
    scheduledJobs: (platform) => [{ name: 'replaced pictures', run: () => deleteRetiredPictures(platform) }],
  };
}
