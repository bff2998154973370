import { expect, test, vi } from 'vitest';
import { recordAction } from '../../../server/features/staff/actions.ts';
import { watchDecisions } from '../../../server/features/staff/decisions.ts';
import { openTestDatabase } from '../../support/databases.ts';

test('a decision that another process has recorded is noticed once, and an earlier one is not', async () => {
  const database = await openTestDatabase('sqlite');
  const record = (at: number) =>
    recordAction(database.db, { staffId: null, action: 'hide sound', subject: 'x' }, at);
  await record(1);
  const onDecision = vi.fn();
  const end = watchDecisions(database, onDecision, 10);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(onDecision).not.toHaveBeenCalled();
  await record(2);
  await expect.poll(() => onDecision.mock.calls.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(onDecision).toHaveBeenCalledTimes(1);
  end();
  await record(3);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(onDecision).toHaveBeenCalledTimes(1);
  await database.close();
});
