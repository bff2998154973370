import type { Module } from '../../platform/http/http.ts';
import { importDataFolder } from './import.ts';
import { deleteRemovedNotices } from './storing.ts';

export interface NoticesOptions {
  /** Where earlier versions kept the notices. */
  readonly folder: string;
}

/** The notices before downloads. */
export function createNoticesModule({ folder }: NoticesOptions): Module {
  return {
    name: 'notices',
    scheduledJobs: (platform) => [
      // The folder is this machine's.
      { name: 'import of notices', isPerProcess: true, run: () => importDataFolder(platform, folder) },
      { name: 'removed notices', run: () => deleteRemovedNotices(platform) },
    ],
  };
}
