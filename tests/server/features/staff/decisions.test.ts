import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../../../server/platform/database/open.ts';
import { watchDecisions } from '../../../../server/features/staff/decisions.ts';
import { databases } from '../../../support/databases.ts';

const EVERY_MS = 10;
const NOW = Date.UTC(2026, 3, 1);

const wait = () => new Promise((resolve) => setTimeout(resolve, EVERY_MS * 15));

describe.each(databases)('watching the decisions of other processes on $name', ({ open }) => {
  const record = ({ db }: Database, id: string, at: number) =>
    db
      .insertInto('operator_actions')
      .values({ id, staff_id: null, action: 'hide sound', subject: 'x', at })
      .execute();

  /** A database with one decision, and a watch that has seen it. */
  async function watch() {
    const database = await open();
    await record(database, 'first', NOW);
    const onDecision = vi.fn();
    const end = watchDecisions(database, onDecision, EVERY_MS);
    onTestFinished(async () => {
      end();
      await database.close();
    });
    await wait();
    expect(onDecision).not.toHaveBeenCalled();
    const expectCalls = async (calls: number) => {
      await expect.poll(() => onDecision.mock.calls.length).toBe(calls);
      await wait();
      expect(onDecision).toHaveBeenCalledTimes(calls);
    };
    return { database, end, expectCalls };
  }

  test('reports each decision once, and none after its end', async () => {
    const { database, end, expectCalls } = await watch();
    await record(database, 'second', NOW + 1);
    await expectCalls(1);
    await record(database, 'third', NOW + 120_000);
    await expectCalls(2);
    end();
    await record(database, 'fourth', NOW + 120_001);
    await expectCalls(2);
  });

  test('reports a decision of the same millisecond, in any order of ids', async () => {
    const { database, expectCalls } = await watch();
    await record(database, 'zzz', NOW);
    await expectCalls(1);
    await record(database, 'aaa', NOW);
    await expectCalls(2);
  });

  test('reports a decision whose transaction ended after that of a later one', async () => {
    const { database, expectCalls } = await watch();
    await record(database, 'zzz', NOW - 1_000);
    await expectCalls(1);
  });
});
