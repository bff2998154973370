/** Sends a copy of a backup for the server: sealing blocks neither its event loop nor its memory. */
import { stat } from 'node:fs/promises';
import { answerParent } from '../child.ts';
import type { CopyReply, CopyRequest } from './schedule.ts';
import { sendBackup } from './send.ts';

answerParent<CopyRequest>(run, toFailed);

async function run({ target, backup, nowMs }: CopyRequest): Promise<CopyReply> {
  try {
    return { state: 'sent', objects: await sendBackup(target, backup, nowMs) };
  } catch (error) {
    // It was deleted meanwhile: the next one continues.
    if ((await stat(backup).catch(() => undefined)) === undefined) return { state: 'gone' };
    return toFailed(error);
  }
}

function toFailed(error: unknown): CopyReply {
  return { state: 'failed', message: error instanceof Error ? error.message : String(error) };
}
