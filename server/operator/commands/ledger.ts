import { verifyLedger } from '../../features/finance/verify.ts';
import type { Command } from '../command.ts';

export const ledger: Readonly<Record<string, Command>> = {
  verify: {
    about: 'recount the books; exit code 1 when they do not agree',
    takesJson: true,
    async run({ desk, isJson, print }) {
      const { db, dialect } = desk.database;
      const transaction = db.transaction();
      // What is booked meanwhile must not look like a mistake; SQLite has one view anyway.
      const problems = await (
        dialect === 'postgres' ? transaction.setIsolationLevel('repeatable read') : transaction
      ).execute(verifyLedger);
      if (isJson) print(JSON.stringify(problems, null, 2));
      else print(problems.length === 0 ? 'The books agree.' : problems.join('\n'));
      return problems.length === 0 ? 0 : 1;
    },
  },
};
