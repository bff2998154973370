import { withDeps } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { collectUnclaimedFiles } from './files.ts';
import type { ChangeOptions } from './changes.ts';
import { startDecodingQueue } from './decoding.ts';
import { eraseDeletedSounds } from './deletion.ts';
import { MY_SOUND_ROUTES } from './routes.ts';
import { deleteExpiredUploads } from './uploads/leftovers.ts';
import { createUploadLocks } from './uploads/locks.ts';
import { UPLOAD_HEADERS, UPLOAD_ROUTES, toUploadDeps, tusVersion } from './uploads/routes.ts';

/** Artists' own sounds, and uploads in parts. */
export function createMySoundsModule(options: ChangeOptions): Module {
  const locks = createUploadLocks();
  return {
    name: 'my sounds',
    routes: [
      ...withDeps((platform) => ({ ...platform, ...options, locks }), MY_SOUND_ROUTES),
      ...withDeps((platform) => toUploadDeps(platform, locks), UPLOAD_ROUTES),
    ],
    middleware: tusVersion,
    corsHeaders: UPLOAD_HEADERS,
    start: startDecodingQueue,
    scheduledJobs: (platform) => [
      { name: 'files without a sound', run: () => collectUnclaimedFiles(platform) },
      { name: 'abandoned uploads', run: () => deleteExpiredUploads(platform) },
      {
        name: 'deleted sounds',
        // Thousands with their files take a while; the next scheduled jobs do not wait for it.
        run: async () => platform.backgroundJobs.start((ending) => eraseDeletedSounds(platform, ending)),
      },
    ],
  };
}
