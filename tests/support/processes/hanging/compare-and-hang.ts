/** A process that compares sounds, and hangs before it stores the second batch, which it reports. */
import { compareSounds } from '#server/features/catalogue/similar/rounds.ts';
import { openComparer } from '#server/features/catalogue/similar/thread.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { createLog } from '#server/platform/log.ts';

const database = await openDatabase(JSON.parse(process.argv[2] ?? '') as DatabaseLocation);
const clock = { now: () => Number(process.argv[3]) };
const logger = createLog('silent', { write: () => undefined });
let batches = 0;
const open = () => {
  const comparer = openComparer();
  return {
    ...comparer,
    async nearest(...given: Parameters<typeof comparer.nearest>) {
      batches += 1;
      if (batches > 1) {
        process.send?.('comparing');
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }
      return comparer.nearest(...given);
    },
  };
};
const deps = { database, clock, logger, catalogueChanged: () => undefined };
await compareSounds(deps, undefined, { soundsMax: 1_000, pauseShare: 0, open });
