/** Restores one backup on trial for the server, whose memory and event loop it does not touch. */
import { FEATURES } from '../../features.ts';
import { PlaceInUse } from '../backups/claim.ts';
import { answerParent } from '../backups/child.ts';
import { NothingToTry, drillLatest } from './rehearsal.ts';
import type { DrillReply, DrillRequest } from './schedule.ts';

answerParent<DrillRequest>(
  async ({ folder }): Promise<DrillReply> => ({
    state: 'tried',
    ...(await drillLatest(folder, FEATURES)),
  }),
  (error): DrillReply => ({
    state: error instanceof PlaceInUse || error instanceof NothingToTry ? 'postponed' : 'failed',
    message: error instanceof Error ? error.message : String(error),
  }),
);
