/** Makes one backup for the server: copying blocks neither its event loop nor its memory. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_OWNERS } from '../../features.ts';
import { answerParent } from './child.ts';
import { PlaceInUse, SCRATCH, withScratch } from './claim.ts';
import { createBackup } from './create.ts';
import { deleteBackups, listDated, toBackupTime } from './pool.ts';
import { selectKept } from './retention.ts';
import { verifyBackup } from './verify.ts';
import type { BackupReply, BackupRequest } from './schedule.ts';

answerParent<BackupRequest>(run, (error): BackupReply => {
  const state = error instanceof PlaceInUse ? 'busy' : 'failed';
  return { state, message: error instanceof Error ? error.message : String(error) };
});

async function run({ site, folder, keep, verifies }: BackupRequest): Promise<BackupReply> {
  // A missing folder is probably a disk that is not mounted: it must not be created on another one.
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`BACKUP_DIR is not a folder: ${folder}`);
  const whole = { ...site, files: FILE_OWNERS };
  const { path, bytesWritten, summary, manifest, unknown } = await createBackup(whole, `${folder}/`, {
    withKeys: false,
  });
  const faults = verifies ? await findFaults(path) : null;
  const reply: BackupReply = {
    state: 'made',
    path,
    bytes: bytesWritten,
    takenAtMs: manifest.takenAtMs,
    missing: summary.missing.length,
    unknown,
    faults,
    future: (await listDated(folder, Date.now())).future,
  };
  // The older ones may be the only good ones.
  if (faults !== null && faults.length > 0) return reply;
  await deleteOld(folder, keep).catch((error: unknown) => {
    // This one is finished all the same. The other process deletes them, or the next backup does.
    if (!(error instanceof PlaceInUse)) throw error;
  });
  return reply;
}

function deleteOld(folder: string, keep: number): Promise<void> {
  return withScratch(join(folder, SCRATCH), async () => {
    const { names } = await listDated(folder, Date.now());
    const kept = selectKept(names.map(toBackupTime), keep);
    await deleteBackups(
      folder,
      names.filter((name) => !kept.has(toBackupTime(name))),
    );
  });
}

async function findFaults(path: string): Promise<readonly string[]> {
  try {
    return (await verifyBackup(path, FILE_OWNERS)).faults;
  } catch (error) {
    return [`it could not be verified: ${error instanceof Error ? error.message : String(error)}`];
  }
}
