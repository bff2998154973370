import { describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { listRows, openLocated, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { addSoundOf, readDownloadCount, readEarned } from '#support/sounds/downloads.ts';
import { addPayee } from '#support/members/payouts.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const LOOP = new URL('./loop.ts', import.meta.url);
const ROUNDS = { sqlite: depth(3, 22), postgres: depth(3, 8) };

describe.each(ruleDatabases)('downloads on $name', ({ name, locate }) => {
  test(
    'M5 are credited once each when their process is killed between completion and answer',
    { timeout: 240_000 },
    async () => {
      const place = await locate();
      const database = await openLocated(place);
      const artistId = await addPayee(database, 'artist');
      const soundId = await addSoundOf(database, artistId);
      /** Intents whose completion was answered. Each must be credited exactly once. */
      const answered = new Set<string>();
      let asking: { id: string } | undefined;

      for (let round = 0; round < ROUNDS[name]; round += 1) {
        const end = round % 2 === 1 ? 'hang' : '';
        const args = [JSON.stringify(place.location), soundId, round, JSON.stringify(asking) ?? '', end];
        const { child, hear, kill } = startDoomed(LOOP, args);
        let last = '';
        child.on('message', (message) => {
          const [what, value] = message as
            ['asking', { id: string }] | ['completed', string] | ['answered', string];
          last = what;
          if (what === 'asking') {
            asking = value;
          } else if (what === 'answered') {
            answered.add(value);
            if (asking?.id === value) asking = undefined;
          }
        });
        for (let heard = 0; end === 'hang' ? last !== 'completed' : heard <= round % 5; heard += 1) {
          await hear();
        }
        await kill(end === 'hang' ? 0 : 8);
        await expectBooksToAgree(database, artistId, soundId, answered);
      }
      expect(answered.size).toBeGreaterThan(ROUNDS[name] / 4);
    },
  );
});

/** Every answered intent is credited once, every interrupted one at most once. */
async function expectBooksToAgree(
  database: Database,
  artistId: string,
  soundId: string,
  answered: ReadonlySet<string>,
): Promise<void> {
  const { db } = database;
  const credits = await listRows({ db }, 'download_credits', {}, ['intent_id', 'state']);
  const completed = await everyTable(db)
    .selectFrom('download_intents')
    .select('id')
    .where('completed_at', 'is not', null)
    .execute();
  const ids = credits.map(({ intent_id }) => intent_id).toSorted();
  expect(completed.map(({ id }) => id).toSorted()).toEqual(ids);
  for (const id of answered) expect(ids).toContain(id);
  // The limit of five credits a day from a network to one artist is not reached: each intent has its own network.
  expect(credits.filter(({ state }) => state === 'credited')).toHaveLength(Math.min(50, ids.length));
  expect(await readEarned(database, artistId)).toBe(Math.min(50, ids.length));
  expect(await readDownloadCount(database, soundId)).toBe(ids.length);
  expect(await verifyLedger(db)).toEqual([]);
}
