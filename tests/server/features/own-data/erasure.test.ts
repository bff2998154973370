import { type KyselyPlugin, type OperationNode, DeleteQueryNode, TableNode, UpdateQueryNode } from 'kysely';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '#server/features.ts';
import { eraseDueAccounts } from '#server/features/own-data/erasure.ts';
import type { Database } from '#server/platform/database/open.ts';
import { insertRow, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { addPayee } from '#support/members/payouts.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';

/** Tables that name members by id, and why no feature changes their rows when an account is deleted. */
const STAYING = {
  artist_days: 'the books',
  artist_months: 'the books',
  ledger_accounts: 'the books',
  operator_actions: 'the record of the staff',
  personal_info_views: 'who of the staff saw an ID; deleted with the submission',
  recovery_codes: 'deleted with the second factor, by the database',
  sound_changes: 'deleted with the sound, by the database',
};

const MEMBER_COLUMN = /(?:^|_)(?:user|artist|member|staff)_id$|^decided_by$/;

async function listMemberTables({ db }: Database): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const naming = tables.filter(({ columns }) => columns.some(({ name }) => MEMBER_COLUMN.test(name)));
  return [...new Set(naming.map(({ name }) => name))].toSorted();
}

/** Adds the tables of which rows are changed or deleted to a set. */
function recordChanges(changed: Set<string>): KyselyPlugin {
  const add = (node: OperationNode | undefined) => {
    if (node !== undefined && TableNode.is(node)) changed.add(node.table.identifier.name);
  };
  return {
    transformQuery({ node }) {
      if (UpdateQueryNode.is(node)) add(node.table);
      if (DeleteQueryNode.is(node)) for (const from of node.from.froms) add(from);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

describe.each(ruleDatabases)('erasing an account on $name', ({ open }) => {
  const { database, api } = useApi(open);

  test('M11: reaches every table that names members, except those that stay for a reason', async () => {
    const { db } = database;
    const userId = await addPayee(database, 'leaving', { is_verified: true });
    const otherId = await addPayee(database, 'other', { is_verified: true });
    await addSoundOf(database, userId);
    const headers = { authorization: `Bearer ${await api.logIn(userId)}` };
    await api.post(`/api/sounds/${await addSoundOf(database, otherId)}/toggle-favorite`, {}, headers);
    await insertRow({ db }, 'resumable_uploads', {
      id: 'r',
      user_id: userId,
      size_bytes: 6,
      metadata: '',
      sound_id: null,
      created_at: 1,
    });
    await updateRows({ db }, 'users', { deletion_requested_at: 1, is_blocked: 1 }, { id: userId });
    const changed = new Set<string>();
    const watched = { ...database, db: db.withPlugin(recordChanges(changed)) };
    await eraseDueAccounts({ ...api.deps, database: watched, features: FEATURES });
    const tables = await listMemberTables(database);
    expect(tables.length).toBeGreaterThan(25);
    expect(tables.filter((table) => !changed.has(table))).toEqual(Object.keys(STAYING));
  });
});
