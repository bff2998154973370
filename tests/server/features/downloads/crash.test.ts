import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/platform/database/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { depth, pauseBeforeKill } from '#support/depth.ts';
import { addSoundOf, readDownloadCount, readEarned } from '#support/sounds/downloads.ts';
import { addPayee } from '#support/members/finance.ts';

const LOOP = new URL('./loop.ts', import.meta.url);
const ROUNDS = { sqlite: depth(3, 22), postgres: depth(3, 8) };

describe.each(ruleDatabases)('downloads on $name', ({ name, locate }) => {
  test(
    'M5 are credited once each when their process is killed between completion and answer',
    { timeout: 240_000 },
    async () => {
      const { location, remove } = await locate();
      const database = await openDatabase(location);
      onTestFinished(async () => {
        await database.close();
        await remove();
      });
      const artistId = await addPayee(database, 'artist');
      const soundId = await addSoundOf(database, artistId);
      /** Intents whose completion was answered. Each must be credited exactly once. */
      const answered = new Set<string>();
      let asking: { id: string } | undefined;

      for (let round = 0; round < ROUNDS[name]; round += 1) {
        const end = round % 2 === 1 ? 'hang' : '';
        const args = [JSON.stringify(location), soundId, String(round), JSON.stringify(asking) ?? '', end];
        const child = fork(LOOP, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
        onTestFinished(() => void child.kill('SIGKILL'));
        const exit = once(child, 'exit');
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
          await Promise.race([once(child, 'message'), exit]);
        }
        if (end !== 'hang') await pauseBeforeKill(8);
        child.kill('SIGKILL');
        expect(await exit).toEqual([null, 'SIGKILL']);
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
  const credits = await db.selectFrom('download_credits').select(['intent_id', 'state']).execute();
  const completed = await db
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
