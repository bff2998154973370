import { deleteSound, updateSound, uploadSound } from '../../../contract/my-sounds.ts';
import { RESUMABLE_UPLOADS_PATH } from '../../../contract/resumable-uploads.ts';
import { byAddress, byMember, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { collectUnclaimedFiles } from './files.ts';
import type { ChangeOptions } from './changes.ts';
import { eraseDeletedSounds } from './deletion.ts';
import { SOUND_CHANGES, UPLOADS } from './limits.ts';
import { startMeasuring } from './measuring.ts';
import { serveMySounds } from './routes.ts';
import { deleteExpiredUploads } from './uploads/leftovers.ts';
import { UPLOAD_CREATIONS, UPLOAD_OPTIONS, UPLOAD_PIECES } from './uploads/limits.ts';
import { createUploadLocks } from './uploads/locks.ts';
import { UPLOAD_HEADERS, serveUploads, tusVersion } from './uploads/routes.ts';
import { finishWaveforms } from './waveforms.ts';

const UPLOADS_PATH = { path: RESUMABLE_UPLOADS_PATH };
const UPLOAD_PATH = { path: `${RESUMABLE_UPLOADS_PATH}{id}` };

/** Artists' own sounds, and uploads in parts. */
export function createMySoundsModule(options: ChangeOptions): Module {
  const locks = createUploadLocks();
  return {
    name: 'my sounds',
    access: [
      declare(uploadSound, 'verified member', 'own', byMember(UPLOADS)),
      declare(updateSound, 'member not blocked', 'own', byMember(SOUND_CHANGES)),
      declare(deleteSound, 'member', 'own', byMember(SOUND_CHANGES)),
      declare({ method: 'OPTIONS', ...UPLOADS_PATH }, 'anyone', 'nothing', byAddress(UPLOAD_OPTIONS)),
      declare({ method: 'POST', ...UPLOADS_PATH }, 'verified member', 'own', byMember(UPLOAD_CREATIONS)),
      declare({ method: 'GET', ...UPLOAD_PATH }, 'member', 'own', byMember(UPLOAD_PIECES)),
      declare({ method: 'PATCH', ...UPLOAD_PATH }, 'verified member', 'own', byMember(UPLOAD_PIECES)),
      declare({ method: 'DELETE', ...UPLOAD_PATH }, 'member', 'own', byMember(UPLOAD_PIECES)),
    ],
    middleware: tusVersion,
    corsHeaders: UPLOAD_HEADERS,
    serve(api) {
      serveMySounds(api, locks, options);
      serveUploads(api, locks);
    },
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
    access: [],
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
