import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { openDatabase } from '#server/schema/open.ts';
import { findLost, makeEmptyPlace, makeSite, startOperator } from '#support/processes/backups.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';

const BACKUPS = depth(1, 100);
/** Every so many backups one is restored. */
const RESTORED_EVERY = depth(1, 5);
const PARALLEL = 2;

describe.each(ruleDatabases)('backups on $name', (kind) => {
  test(
    'P7 that are taken under load have every acknowledged write, every file and a consistent ledger',
    { timeout: 1_200_000 },
    async () => {
      const { env, folder, members } = await makeSite(kind);
      const acknowledged: Awaited<ReturnType<typeof members.act>>[] = [];
      const load = async (end: AbortSignal) => {
        while (!end.aborted) acknowledged.push(await members.act());
      };
      await members.act();
      let restores = 0;
      let durationMs = 0;
      for (let backup = 1; backup <= BACKUPS; backup += 1) {
        // Archives and a folder in turn.
        const target = backup % 2 === 0 ? join(folder, `${backup}.tar`) : `${folder}/backups/`;
        const before = [...acknowledged];
        const end = new AbortController();
        const loads = Array.from({ length: PARALLEL }, () => load(end.signal));
        const beganMs = performance.now();
        const { code, said } = await startOperator(env, 'backup', 'create', target).ended;
        durationMs += performance.now() - beganMs;
        end.abort();
        await Promise.all(loads);
        expect({ code, said }).toMatchObject({ code: 0 });
        const { faults, path, deletedMeanwhile } = await verifyBackup(target, FILE_OWNERS);
        expect({ faults, deletedMeanwhile }).toEqual({ faults: [], deletedMeanwhile: 0 });
        if (backup % RESTORED_EVERY === 0) {
          const { place, remove } = await makeEmptyPlace(kind);
          await restoreBackup(place, path);
          const restored = await openDatabase(place.database);
          expect(await verifyLedger(restored.db)).toEqual([]);
          expect(await findLost(restored, before)).toEqual([]);
          restores += 1;
          await restored.close();
          await remove();
        }
        if (backup % 2 === 0) await rm(path);
      }
      expect(acknowledged.length).toBeGreaterThan(BACKUPS);
      const averageMs = Math.round(durationMs / BACKUPS);
      console.info(
        `${kind.name}: ${BACKUPS} backups of ${averageMs} ms, ${restores} restored, during ${acknowledged.length} uploads with download, favourite and payout`,
      );
    },
  );
});
