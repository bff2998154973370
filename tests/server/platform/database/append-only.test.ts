import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordAction } from '#server/features/staff/actions.ts';
import { bothDatabases, insertRow } from '#support/databases/databases.ts';
import { addPayee } from '#support/members/payouts.ts';

describe.each(bothDatabases)('a record on $name', ({ name, open }) => {
  test.each([
    ['operator_actions', 'note'],
    ['personal_info_views', 'staff_id'],
    ['ledger_entries', 'reference'],
  ])('of %s cannot be changed or deleted by any statement', async (table, column) => {
    const database = await open();
    onTestFinished(() => database.close());
    const { db } = database;
    const staffId = await addPayee(database, 'staff', { is_staff: true });
    await recordAction(db, { staffId, action: 'pay transfer', subject: 'x' }, 1);
    const submission = { id: 's', user_id: staffId, object_key: null, submitted_at: 1 };
    await insertRow({ db }, 'personal_info_submissions', {
      ...submission,
      state: 'incoming',
      decided_at: null,
      decided_by: null,
    });
    await insertRow({ db }, 'personal_info_views', { submission_id: 's', staff_id: staffId, viewed_at: 1 });
    await sql`insert into ledger_entries
        (id, kind, from_account, to_account, amount, downloads, month, reference, idempotency_key, created_at)
        values ('e', 'transfer-paid', 'rewards', 'paid-out', 1, 0, '2026-04', 'x', 'x', 1)`.execute(db);
    const read = () => sql`select * from ${sql.table(table)}`.execute(db);
    const { rows } = await read();
    const changes = [
      sql`update ${sql.table(table)} set ${sql.ref(column)} = 'other'`,
      sql`delete from ${sql.table(table)}`,
      ...(name === 'postgres' ? [sql`truncate ${sql.table(table)} cascade`] : []),
    ];
    for (const change of changes) {
      await expect(change.execute(db)).rejects.toThrow(/append-only|on record/);
    }
    expect((await read()).rows).toEqual(rows);
  });
});
