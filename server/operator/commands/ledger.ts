import { sql } from 'kysely';
import { verifyLedger } from '../../features/finance/verify.ts';
import type { Command } from '../command.ts';
import type { Desk } from '../desk.ts';

export const ledger: Readonly<Record<string, Command>> = {
  verify: {
    about: 'recount the books; exit code 1 when they do not agree',
    takesJson: true,
    async run({ desk, isJson, print }) {
      const problems = await verifyAtOnce(desk);
      if (isJson) print(JSON.stringify(problems, null, 2));
      else print(problems.length === 0 ? 'The books agree.' : problems.join('\n'));
      return problems.length === 0 ? 0 : 1;
    },
  },
};

/** What is booked meanwhile must not look like a mistake, nor wait: transactions of ours would lock SQLite for writing. */
function verifyAtOnce({ database: { db, dialect } }: Desk): Promise<string[]> {
  if (dialect === 'postgres') {
    return db.transaction().setIsolationLevel('repeatable read').execute(verifyLedger);
  }
  return db.connection().execute(async (connection) => {
    await sql`begin deferred`.execute(connection);
    try {
      return await verifyLedger(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}
