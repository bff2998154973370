import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Month } from '#contract/values/months.ts';
import { demoAccounts } from '#demo/accounts.ts';
import { describeCatalogue } from '#demo/catalogue.ts';
import { seedRewards } from '#demo/rewards.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { readFigures } from '#server/features/ledger/figures.ts';
import { readStatement } from '#server/features/ledger/statements.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const { artists, sounds: specs } = describeCatalogue();
const sounds = specs.map((sound, index) => ({ ...sound, id: `sound-${index}` }));

// The first, a middle and the last day of a month in Japanese time.
describe.each([Date.UTC(2026, 10, 30, 15), Date.UTC(2026, 6, 15), Date.UTC(2027, 1, 28, 14, 59)])(
  'the year of the demo’s artists at %i',
  (nowMs) => {
    let database: Database;
    const ids = new Map<string, string>();

    beforeAll(async () => {
      database = await openTestDatabase('sqlite');
      for (const { username, email, name } of artists) {
        ids.set(username, await createUser(database, { username, email, name }));
      }
      await createUser(database, { username: 'staff', email: 'staff@example.test', is_staff: true });
      await seedRewards(database, sounds, ids, nowMs);
    });
    afterAll(() => database.close());

    const figuresOf = (username: string) => readFigures(database.db, ids.get(username) ?? '', nowMs);

    test('has consistent books', async () => {
      expect(await verifyLedger(database.db)).toEqual([]);
    });

    test('has as many downloads as the sounds have', async () => {
      for (const { username } of artists) {
        const counts = sounds.filter(({ artist }) => artist === username).map((sound) => sound.downloadCount);
        const { total_download_balance } = await figuresOf(username);
        expect(total_download_balance, username).toBe(counts.reduce((sum, count) => sum + count, 0));
      }
    });

    test('has a statement per sound that adds up to each month', async () => {
      for (const { username } of artists) {
        const { months } = await figuresOf(username);
        for (const { month, reward, downloads } of months) {
          const statement = await readStatement(database.db, ids.get(username) ?? '', month as Month);
          expect(statement, `${username} ${month}`).toMatchObject({ reward, downloads });
          expect(statement.sounds.every(({ sound_id }) => sound_id !== null)).toBe(true);
        }
      }
    });

    test('has earnings in each month since the first, and more at its end than at its beginning', async () => {
      const all = await Promise.all(artists.map(({ username }) => figuresOf(username)));
      for (const { months } of all) {
        const first = months.findLastIndex(({ reward }) => reward > 0);
        expect(first).toBeGreaterThanOrEqual(5);
        for (const { reward } of months.slice(1, first)) expect(reward).toBeGreaterThan(0);
      }
      const half = (from: number) =>
        all
          .flatMap(({ months }) => months.slice(from, from + 5))
          .reduce((sum, { reward }) => sum + reward, 0);
      expect(half(1)).toBeGreaterThan(half(7));
    });

    test('lets the member with the approved ID request a payout, and has one with an open request', async () => {
      const account = demoAccounts.find(({ email }) => email === 'id-confirmed@example.test');
      const figures = await figuresOf(account?.username ?? '');
      expect(figures.reward_balance).toBeGreaterThanOrEqual(3_000);
      expect(figures.transfer_request).toBeUndefined();
      const requests = await everyTable(database.db)
        .selectFrom('transfer_requests')
        .select('state')
        .execute();
      expect(requests.map(({ state }) => state).sort()).toEqual(['paid', 'requested']);
    });
  },
);
