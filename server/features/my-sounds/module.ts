import { withDeps } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { collectUnclaimedFiles } from './files.ts';
import type { ChangeOptions } from './changes.ts';
import { eraseDeletedSounds } from './deletion.ts';
import { startMeasuring } from './measuring.ts';
import { MY_SOUND_ROUTES } from './routes.ts';
import { deleteExpiredUploads } from './uploads/leftovers.ts';
import { createUploadLocks } from './uploads/locks.ts';
import { UPLOAD_HEADERS, UPLOAD_ROUTES, toUploadDeps, tusVersion } from './uploads/routes.ts';
import { finishWaveforms } from './waveforms.ts';

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

/** Decodes waveforms that an interrupted process has left, and measures sounds that were stored with a waveform. */
export function createWaveformsModule(): Module {
  return {
    name: 'waveforms',
    start: startMeasuring,
    scheduledJobs: (platform) => [
      {
        name: 'unread waveforms',
        // Leases divide the sounds among the processes, each of which has a decoder.
        isPerProcess: true,
        // Decoding an hour of sound takes a while; the next scheduled jobs do not wait for it.
        run: async () => platform.backgroundJobs.start((ending) => finishWaveforms(platform, { ending })),
      },
    ],
  };
}
